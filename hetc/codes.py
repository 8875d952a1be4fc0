"""The codes of what stages other than rules report: readers, merging, lowering, the site file.

A rule declares its own code beside its check. `hetc.rules.CATALOG` holds them all. Numbers are never used twice.
"""
from __future__ import annotations

from hetc.diagnostic import ERROR, INFO, WARNING, Code

ENCODING = Code("HET001", "not-utf-8", ERROR, "a file that is no UTF-8 text")
SYNTAX = Code("HET002", "request-syntax", ERROR, "a request that does not follow the grammar")
FOREIGN = Code("HET003", "foreign-syntax", ERROR, "LSF, Slurm or PBS syntax in a request")
NOT_ASCII = Code("HET004", "not-ascii", ERROR, "a character outside ASCII in a request")
YAML = Code("HET005", "yaml-syntax", ERROR, "text that is no YAML")
TAB = Code("HET006", "tab", ERROR, "a tab where YAML wants blanks")
ODD_BLANK = Code("HET007", "odd-blank", ERROR, "a no-break space or another invisible character in YAML")
DUPLICATE_KEY = Code("HET008", "duplicate-key", ERROR, "a key, attribute, name or section given twice")
ALIAS = Code("HET009", "bad-alias", ERROR, "an alias or merge key that cannot be resolved")
TAG = Code("HET010", "foreign-tag", ERROR, "a YAML tag other than the core ones")
KEY_TYPE = Code("HET011", "key-not-text", ERROR, "a mapping key that is not text")
UNKNOWN_KEY = Code("HET012", "unknown-key", ERROR, "a key that hetc does not know")
NULL = Code("HET013", "null-value", ERROR, "null where a value is meant")
WRONG_TYPE = Code("HET014", "wrong-type", ERROR, "a value of the wrong type")
NOT_TEXT = Code("HET015", "unquoted-scalar", ERROR, "a number, boolean or date where text is meant")
LEADING_ZERO = Code("HET016", "leading-zero", ERROR, "a number with a leading zero")
TOO_LARGE = Code("HET017", "too-large", ERROR, "an input beyond a limit")
COUNT = Code("HET018", "bad-count", ERROR, "a replica count that is no plain positive number")
BAD_VALUE = Code("HET019", "bad-value", ERROR, "a value outside what its key allows")
MISPLACED = Code("HET020", "misplaced-key", ERROR, "shape in an overlay, or text in a request")
NO_FILE = Code("HET022", "unreadable-file", ERROR, "a file named in a source that cannot be read")
OUTSIDE = Code("HET023", "outside-tree", ERROR, "a file named in a source that lies outside its tree")
KIND_CLASH = Code("HET024", "kind-clash", ERROR, "a mapping over a scalar, or the reverse, in two layers")
NOTHING_REMOVED = Code("HET025", "nothing-removed", WARNING, "a null that removes what nobody set")
MISSING = Code("HET026", "missing-value", ERROR, "a job or task without a value that it needs")
CONFLICT = Code("HET027", "conflicting-values", ERROR, "one thing with two values")
UNKNOWN_TASK = Code("HET028", "unknown-task", ERROR, "an overlay for a task that the request does not have")
OPTION_CONFLICT = Code("HET029", "option-conflict", ERROR, "a command-line option that a template does not allow")
ACCEPTED = Code("HET030", "accepted-without-effect", INFO, "a key that hetc accepts and does not use")
SHELL_ITEM = Code("HET031", "list-item-is-a-line", WARNING, "a command list that looks like an argument vector")
NO_REQUEST = Code("HET032", "no-resource", WARNING, "a group without cpu or memory")

NO_NAME = Code("HET101", "bad-name", ERROR, "a name that is no legal name of its kind")
QUANTITY = Code("HET201", "bad-quantity", ERROR, "a quantity that Kubernetes or hetc refuses")
DECIMAL_SUFFIX = Code("HET202", "decimal-suffix", WARNING, "a decimal memory suffix in a request")

SECURITY_CONTEXT = Code("HET401", "raw-security-context", ERROR, "a security context in an overlay or template")
HOST_PATH = Code("HET402", "host-path", ERROR, "a directory of the node in a pod")
PRIVILEGED = Code("HET403", "privileged", ERROR, "a privileged container")
RAW_VOLUMES = Code("HET404", "raw-volumes", ERROR, "raw volumes in an overlay or template")
HOST_NAMESPACE = Code("HET405", "host-namespace", ERROR, "a namespace of the node in a pod")
CAPABILITIES = Code("HET406", "capabilities", ERROR, "Linux capabilities beyond the baseline")
PASSTHROUGH = Code("HET407", "pod-passthrough", ERROR, "a raw pod field in an overlay or template")

SCHEMA = Code("HET590", "schema-violation", ERROR, "a Job that its schema refuses")
POD_SCHEMA = Code("HET591", "pod-schema-violation", ERROR, "a pod template that the Kubernetes schema refuses")

OBJECT_SIZE = Code("HET608", "object-size", WARNING, "an object too large for kubectl or the API server")

GPU_MODEL = Code("HET701", "unknown-gpu-model", WARNING, "a GPU model that no product label is known for")
UNKNOWN_KIND = Code("HET034", "unknown-kind", ERROR, "a document of a kind that hetc does not know, under --strict-kinds")
LOOSER = Code("HET033", "looser-than-root", ERROR, "a site file that loosens what the repository root's sets")
BARE_IGNORE = Code("HET035", "bare-ignore", WARNING, "an ignore comment without rules or without a reason")
UNUSED_IGNORE = Code("HET036", "unused-ignore", WARNING, "an ignore comment that ignores nothing")
UNKNOWN_PROFILE = Code("HET038", "unknown-profile", ERROR, "a profile that no layer defines")
SECURITY_IGNORED = Code("HET037", "security-ignored", ERROR, "an ignore comment on a security rule or the site's policy")
