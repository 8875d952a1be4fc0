"""Names: Kubernetes' rules with their edges, derived names, and what a misspelt name may have meant."""
from __future__ import annotations

import functools
import itertools
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hetc import names

# Kubernetes' own patterns, as apimachinery has them.
LABEL = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?")
LABEL_1035 = re.compile(r"[a-z]([-a-z0-9]*[a-z0-9])?")
SUBDOMAIN = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*")
QUALIFIED = re.compile(r"([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]")
ENV = re.compile(r"[-._a-zA-Z][-._a-zA-Z0-9]*")
CONFIG = re.compile(r"[-._a-zA-Z0-9]+")


def qualified(name):
    prefix, slash, own = name.rpartition("/")
    return bool(QUALIFIED.fullmatch(own)) and len(own) <= 63 and (not slash or (bool(SUBDOMAIN.fullmatch(prefix)) and len(prefix) <= 253))


def dotted(name):
    return name == "." or name.startswith("..")


LAWS = {
    "dns1123_label": lambda name: bool(LABEL.fullmatch(name)) and len(name) <= 63,
    "dns1035_label": lambda name: bool(LABEL_1035.fullmatch(name)) and len(name) <= 63,
    "dns1123_subdomain": lambda name: bool(SUBDOMAIN.fullmatch(name)) and len(name) <= 253,
    "qualified_name": qualified,
    "label_key": qualified,
    "label_value": lambda name: name == "" or (bool(QUALIFIED.fullmatch(name)) and len(name) <= 63),
    "env_name": lambda name: bool(ENV.fullmatch(name)) and not dotted(name),
    "config_key": lambda name: bool(CONFIG.fullmatch(name)) and not dotted(name) and len(name) <= 253,
    "port_name": lambda name: (
        bool(LABEL.fullmatch(name)) and len(name) <= 15 and "--" not in name and any("a" <= c <= "z" for c in name)),
}
NAMES = st.one_of(
    st.text(st.sampled_from("aZ09-_./"), max_size=8), st.text(max_size=4), st.from_regex(r"\A[a-z][a-z0-9-]{0,80}\Z"),
    st.sampled_from(["a" * n for n in (15, 16, 63, 64, 253, 254)] + ["a/" + "b" * 63, "a/" + "b" * 64, "a" * 253 + "/b", "a" * 254 + "/b"]),
    st.sampled_from(["\u0663a", "a\u0663", "\uff41", "\u00df", "a\n", "\u212a", "a/b/c", "/a", "a/", "A.B/c", "\u0130/x"]),
)


@pytest.mark.parametrize("check", LAWS)
@given(name=NAMES)
def test_a_name_is_taken_exactly_where_kubernetes_takes_it(check, name):
    wrong = getattr(names, check)(name)
    assert (wrong is None) == LAWS[check](name)
    if wrong is not None:
        assert wrong.isprintable()
        assert len(wrong) < 250


@given(NAMES)
def test_an_annotation_key_is_a_qualified_name_once_its_ascii_is_lowered(name):
    lowered = "".join(c.lower() if c.isascii() else c for c in name)
    assert (names.annotation_key(name) is None) == qualified(lowered)


@pytest.mark.parametrize(("check", "name", "sentence"), [
    ("dns1123_label", "", "the name is empty"),
    ("dns1123_label", "GPU_Worker", "`GPU_Worker` has `G`, and only a-z, 0-9 and `-` are allowed"),
    ("dns1123_label", "-a", "`-a` starts with `-`, not with a letter or digit"),
    ("dns1123_label", "a-", "`a-` ends with `-`, not with a letter or digit"),
    ("dns1123_label", "a" * 65, f"`{'a' * 65}` has 65 characters, 2 more than the 63 allowed"),
    ("dns1123_label", "a" * 100, f"`{'a' * 60}...` has 100 characters, 37 more than the 63 allowed"),
    ("dns1123_label", "a\n", "`a\\n` has `\\n`, and only a-z, 0-9 and `-` are allowed"),
    ("dns1035_label", "1a", "`1a` starts with `1`, not with a letter"),
    ("dns1123_subdomain", "a..b", "`a..b` has a dot without a letter or digit beside it"),
    ("dns1123_subdomain", "a-.b", "`a-.b` has a `-` at the start or end of a part"),
    ("dns1123_subdomain", "a.-b", "`a.-b` has a `-` at the start or end of a part"),
    ("qualified_name", "a/b/c", "`a/b/c` has more than one `/`"),
    ("qualified_name", "/b", "`/b` has nothing before its `/`"),
    ("qualified_name", "a/", "`a/` has nothing behind its `/`"),
    ("qualified_name", "A/b", "`A` has `A`, and only a-z, 0-9, `-` and `.` are allowed"),
    ("dns1123_label", "abc-", "`abc-` ends with `-`, not with a letter or digit"),
    ("label_value", "a b", "`a b` has ` `, and only letters, digits, `-`, `_` and `.` are allowed"),
    ("config_key", "a b", "`a b` has ` `, and only letters, digits, `-`, `_` and `.` are allowed"),
    ("port_name", "A", "`A` has `A`, and only a-z, 0-9 and `-` are allowed"),
    ("annotation_key", "A b", "`A b` has ` `, and only letters, digits, `-`, `_` and `.` are allowed"),
    ("annotation_key", "\u212a/b", "`\u212a` has `\u212a`, and only a-z, 0-9, `-` and `.` are allowed"),
    ("env_name", "1A", "`1A` starts with `1`, not with a letter or `_`"),
    ("env_name", "..A", "`..A` starts with `..`"),
    ("env_name", "A=B", "`A=B` has `=`, and only letters, digits, `-`, `_` and `.` are allowed"),
    ("config_key", ".", "`.` names a directory"),
    ("port_name", "a--b", "`a--b` has two `-` in a row"),
    ("port_name", "80", "`80` has no letter"),
    ("port_name", "a" * 16, f"`{'a' * 16}` has 16 characters, 1 more than the 15 allowed"),
])
def test_the_sentence_says_what_is_wrong(check, name, sentence):
    assert getattr(names, check)(name) == sentence


def test_derived_names():
    assert names.pod("train", "worker", 3) == "train-worker-3"
    assert names.last_pod("train", "worker", 101) == "train-worker-100"
    assert names.last_pod("train", "worker", 0) == "train-worker-0"
    assert names.pod_address("train", "master", 0) == "train-master-0.train"
    assert names.admitted("train", "worker", 1) == "train-worker-1"
    assert (names.svc_volume("train"), names.ssh_volume("train")) == ("train-svc", "train-ssh")
    assert names.ray_service("train") == "train-head-svc"
    assert (names.flow_job("flow", "step"), names.flow_label("ns", "flow")) == ("flow-step", "ns.flow")


@pytest.mark.parametrize(("derived", "longest", "limit"), [
    (names.svc_volume, 59, 63), (names.ssh_volume, 59, 63), (names.ray_service, 54, 63), (names.job_volume, 50, 63),
    (names.pod_group, 216, 253), (names.cron_run, 54, 63),
])
def test_the_longest_job_name_that_a_derived_name_leaves(derived, longest, limit):
    assert names.too_long(derived("j" * longest), limit) is None
    assert "1 more than" in names.too_long(derived("j" * (longest + 1)), limit)


@pytest.mark.parametrize(("name", "suggestion"), [
    ("GPU_Worker", "gpu-worker"), ("gpuWorker", "gpu-worker"), ("A100Worker", "a100-worker"), ("a100.worker", "a100-worker"),
    ("a__b", "a-b"),
    ("-a-", "a"), ("01-train", "train"), ("a" * 70, "a" * 63), ("a b", "a-b"), ("worker", None), ("8", None), ("", None), ("__", None),
    ("w\u00f6rker", None),
])
def test_suggest(name, suggestion):
    assert names.suggest(name) == suggestion


@given(NAMES)
def test_a_suggestion_is_a_legal_name(name):
    suggestion = names.suggest(name)
    assert suggestion is None or (LAWS["dns1035_label"](suggestion) and suggestion != name)


KEYS = ["image", "image_pull_policy", "command", "env", "env_from", "mounts", "setup", "shell", "queue", "tasks", "namespace", "name"]


@pytest.mark.parametrize(("word", "known"), [
    ("imgae", "image"), ("img", "image"), ("comand", "command"), ("ENV", "env"), ("env-from", "env_from"), ("namspace", "namespace"),
    ("quue", "queue"), ("image_pul_polcy", "image_pull_policy"), ("image", "image"), ("zzzz", None), ("", None), ("x" * 1000, None),
    ("taks", "tasks"),
])
def test_nearest(word, known):
    assert names.nearest(word, KEYS) == known
    assert names.nearest(word, list(reversed(KEYS))) == known


def test_of_equally_near_words_one_of_the_same_length_counts_then_the_first_by_code_point():
    assert names.nearest("A300", ["A30", "L300", "B300", "A30000"]) == "B300"
    assert names.nearest("A300", ["A30", "A3000"]) == "A30"
    assert names.nearest("ab", []) is None


def test_letters_that_changed_places_are_one_mistake():
    assert names.nearest("acb", ["abc"]) == "abc"
    assert names.nearest("acd", ["abc"]) is None


@functools.cache
def edits(a, b):
    """Edit distance with swaps, by its definition."""
    if not a or not b:
        return len(a) + len(b)
    best = min(edits(a[:-1], b) + 1, edits(a, b[:-1]) + 1, edits(a[:-1], b[:-1]) + (a[-1] != b[-1]))
    if len(a) > 1 and len(b) > 1 and a[-1] == b[-2] and a[-2] == b[-1]:
        best = min(best, edits(a[:-2], b[:-2]) + 1)
    return best


SHORT = st.text(st.sampled_from("abc"), max_size=5)


@given(SHORT, SHORT)
def test_a_word_is_near_where_a_third_of_its_letters_or_less_are_wrong(a, b):
    assert (names.nearest(a, [b]) == b) == (edits(a, b) <= (max(len(a), len(b)) + 1) // 3)


def test_the_distance_of_all_short_words():
    words = ["".join(letters) for length in range(4) for letters in itertools.product("abc", repeat=length)]
    for a, b in itertools.product(words, words):
        assert names._distance(a, b) == edits(a, b), (a, b)


def test_a_dash_is_an_underscore_and_the_longest_word_is_looked_up():
    assert names.nearest("a-b-c-d", ["a_b_c_d"]) == "a_b_c_d"
    assert names.nearest("a" * 63, ["b" + "a" * 62]) == "b" + "a" * 62
    assert names.nearest("a" * 64, ["a" * 64]) is None


def test_choice():
    protocols = ("TCP", "UDP", "SCTP")
    assert names.choice("tcp", protocols) == "write `TCP`"
    assert names.choice("zzzz", protocols) == "write `TCP`, `UDP` or `SCTP`"


@pytest.mark.parametrize("key", ["hostPath", "host_path", "Host-Path", "ho\u017ftPath", "host path", "HOSTPATH", "h_o-s t_p-a th"])
def test_one_spelling_of_a_key(key):
    assert names.normal(key) == "hostpath"


def test_a_name_in_a_message():
    assert names.shorten("n" * 80) == "n" * 80
    assert names.shorten("n" * 81) == "n" * 60 + "..."
    assert names.shorten("a\n\ud800\u00e9") == "a\\n\\ud800\u00e9"


def test_a_cycle_of_names():
    assert names.way(["a"]) == "`a` -> `a`"
    assert names.way(list("abcdefghi")) == "`a` -> `b` -> `c` -> `d` -> `e` -> `f` -> `g` -> `h` -> `i` -> `a`"
    assert names.way(list("abcdefghij")) == "`a` -> `b` -> `c` -> `d` -> `e` -> `f` -> `g` -> `h` -> ... -> `a`"


def test_nearest_leaves_one_out_and_gives_up_on_many():
    assert names.nearest("worker1", ["worker1", "worker2"], "worker1") == "worker2"
    assert names.nearest("worker1", ["worker1"], "worker1") is None
    many = [f"x{number}" for number in range(names.MANY - 1)]
    assert names.nearest("workr", [*many, "worker"]) == "worker"
    assert names.nearest("workr", [*many, "y", "worker"]) is None
    assert names.nearest("workr", [*many, "y", "worker"], most=len(many) + 2) == "worker"


def test_some_names_of_many():
    assert names.some([]) == ""
    assert names.some(["b", "a"]) == "`a`, `b`"
    assert names.some([str(number) for number in range(10)]) == ", ".join(f"`{number}`" for number in range(10))
    assert names.some([*"bcdefghijk", "a"]) == "`b`, `c`, `d`, `e`, `f`, `g`, `h`, `i`, `j`, `k`, ..."
    assert names.some([str(number) for number in range(11)]).endswith("`9`, ...")


def test_a_number_with_its_word():
    assert [names.counted(number, "node") for number in (0, 1, 2)] == ["0 nodes", "1 node", "2 nodes"]
    assert [names.counted(number, "entry", "entries") for number in (1, 3)] == ["1 entry", "3 entries"]


def test_one_name_of_some():
    assert [names.either(each) for each in (["`a`"], ["`a`", "`b`"], ["`a`", "`b`", "`c`"])] == ["`a`", "`a` or `b`", "`a`, `b` or `c`"]
