"""Every refusal of the overlay reader, with its place and its help."""
from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hetc.diagnostic import Report
from hetc.emit.volcano import FIELDS as VOLCANO
from hetc.fields import BANNED, FIELDS, SHAPE_KEYS, job_fields, task_fields
from hetc.read.overlay import check_overlay
from hetc.read.yaml import read
from hetc.source import Source

ALL = (*FIELDS, *VOLCANO)


def check(text: str) -> list[tuple[str, str, str, str, str | None]]:
    report = Report()
    for node in read(Source("x.yaml", text), report) or []:
        check_overlay(node, ALL, report)
    return [(":".join(map(str, each.span.start_position())), each.level, each.code.code, each.message, each.help) for each in report.sorted()]


NUMBER = "which YAML reads as a number, not as a string"
BOOLEAN = "which YAML reads as a boolean, not as a string"
SOME = "which some YAML readers do not take for a string"


@pytest.mark.parametrize(("text", "place", "code", "message", "help"), [
    ("image: 5", "1:8", "HET015", f"`image` is `5`, {NUMBER}", 'quote it: `"5"`'),
    ("image: yes", "1:8", "HET015", f"`image` is `yes`, {BOOLEAN}", 'quote it: `"yes"`'),
    ("image: 1.10", "1:8", "HET015", f"`image` is `1.10`, {NUMBER}", 'quote it: `"1.10"`'),
    ("image: {a: b}", "1:8", "HET014", "`image` is a mapping, not text", "write text"),
    ("env: {A: 9000}", "1:10", "HET015", f"variable `A` is `9000`, {NUMBER}", 'quote it: `"9000"`'),
    ("env: {A: no}", "1:10", "HET015", f"variable `A` is `no`, {BOOLEAN}", 'quote it: `"no"`'),
    ("env: {A: 1e3}", "1:10", "HET015", f"variable `A` is `1e3`, {NUMBER}", 'quote it: `"1e3"`'),
    ("env: {A: 0e12345}", "1:10", "HET015", f"variable `A` is `0e12345`, {NUMBER}", 'quote it: `"0e12345"`'),
    ("env: {A: 0755}", "1:10", "HET015", f"variable `A` is `0755`, {NUMBER}", 'quote it: `"0755"`'),
    ("env: {A: [x]}", "1:10", "HET014", "variable `A` is a list, not text", "write text"),
    ("env: {A: {secret: s}}", "1:10", "HET019", "variable `A` has the keys `secret`",
     "write text, or `{secret: …, key: …}` or `{config_map: …, key: …}` or `{field: …}`"),
    ("env: {A: {secret: s, key: k, optional: true}}", "1:10", "HET019", "variable `A` has the keys `secret`, `key`, `optional`",
     "write text, or `{secret: …, key: …}` or `{config_map: …, key: …}` or `{field: …}`"),
    ("env: {A: {field: 5}}", "1:18", "HET015", f"`field` of variable `A` is `5`, {NUMBER}", 'quote it: `"5"`'),
    ("env: [A=1]", "1:6", "HET014", "`env` is a list, not a mapping of variable to value", 'write `env: {A: "1"}`'),
    ("labels: {a: true}", "1:13", "HET015", f"label `a` is `true`, {BOOLEAN}", 'quote it: `"true"`'),
    ("node_selector: {rack: 7}", "1:23", "HET015", f"label `rack` is `7`, {NUMBER}", 'quote it: `"7"`'),
    ("command: {a: b}", "1:10", "HET014", "`command` is a mapping, not a list of shell lines or one string",
     "write a list of shell lines or one string"),
    ("command: [python x.py, 5]", "1:24", "HET015", f"a line of `command` is `5`, {NUMBER}", 'quote it: `"5"`'),
    ("setup: [[a]]", "1:9", "HET014", "a line of `setup` is a list, not text", "write text"),
    ("container_args: {shm_size: 64}", "1:28", "HET201", "`shm_size`: `64` has no unit", "write the unit, for example `64Gi`"),
    ("container_args: {shm_size: 64GB}", "1:28", "HET201", "`shm_size`: `64GB` is no amount of memory", "write `64Gi`"),
    ("container_args: {cpus: 5}", "1:18", "HET012", "unknown key `cpus` in `container_args`", "known keys: `shm_size`"),
    ("container_args: {privileged: true}", "1:18", "HET403", "`privileged` is not allowed: it gives the container the node's own rights", "leave it out"),
    ("mounts: {m: /data}", "1:13", "HET014", "mount `m` is `/data`, not a mapping", "write a mapping"),
    ("mounts: {m: {path: /m, secret: s, mode: 400}}", "1:41", "HET019", "`mode` is the decimal number `400`, which is mode 0620",
     "write the octal form: `0400`, or `0620` if the decimal number is meant"),
    ("mounts: {m: {path: /m, secret: s, mode: 256}}", "1:41", "HET019", "`mode` is the decimal number `256`, which is mode 0400",
     "write the octal form: `0256`, or `0400` if the decimal number is meant"),
    ("mounts: {m: {path: /m, secret: s, mode: 288}}", "1:41", "HET019", "`mode` is the decimal number `288`, which is mode 0440",
     "write the octal form: `0440`"),
    ("mounts: {m: {path: /m, secret: s, mode: 0x1F}}", "1:41", "HET014", "`mode` is `0x1F`, not a file mode in octal", "write it like `0400`"),
    ("mounts: {m: {path: /m, secret: s, mode: 0888}}", "1:41", "HET014", "`mode` is `0888`, not a file mode in octal", "write it like `0400`"),
    ("mounts: {m: {path: /m, secret: s, mode: 400000}}", "1:41", "HET014", "`mode` is `400000`, not a file mode in octal", "write it like `0400`"),
    ("mounts: {m: {path: /m, claim: c, read_only: yes}}", "1:45", "HET015",
     "`read_only` is `yes`, a boolean to some YAML readers and text to others", "write `true`"),
    ('mounts: {m: {path: /m, claim: c, read_only: "true"}}', "1:45", "HET014", '`read_only` is `"true"`, not `true` or `false`',
     "write `true` or `false`"),
    ("mounts: {m: {path: /m, claim: c, readonly: true}}", "1:34", "HET012", "unknown key `readonly` in mount `m`", "did you mean `read_only`?"),
    ("mounts: {m: {path: /m, hostPath: /x}}", "1:24", "HET402", "`hostPath` is not allowed: it opens the node's own files to the pod",
     "mount a PersistentVolumeClaim: `mounts: {data: {path: /data, claim: NAME}}`"),
    ("image_pull_secrets: registry", "1:21", "HET014", "`image_pull_secrets` is `registry`, not a list", "write `[registry]`"),
    ("image_pull_secrets: [a, b, a]", "1:28", "HET008", "`a` stands twice in `image_pull_secrets`", "keep one of the two"),
    ("ttl_seconds_after_finished: -1", "1:29", "HET019", "`ttl_seconds_after_finished` is -1, and must be at least 0",
     "write a number that is at least 0"),
    ("ttl_seconds_after_finished: 1.5", "1:29", "HET014", "`ttl_seconds_after_finished` is `1.5`, not an integer", "write an integer"),
    ("ttl_seconds_after_finished: 010", "1:29", "HET016",
     "`ttl_seconds_after_finished` is `010`, whose leading zero some readers take for octal", "write `10`"),
    ('ttl_seconds_after_finished: "60"', "1:29", "HET014", '`ttl_seconds_after_finished` is `"60"`, not an integer', "write 60 without quotes"),
    ("ttl_seconds_after_finished: 3000000000", "1:29", "HET019", "`ttl_seconds_after_finished` is 3000000000, and must be at most 2147483647",
     "write a number that is at most 2147483647"),
    ("ttl_seconds_after_finished: 1_000", "1:29", "HET014", "`ttl_seconds_after_finished` is `1_000`, not a plain integer", "write `1000`"),
    ("plugins: {svc: null}", "1:11", "HET013", "`svc` is null, and Kubernetes drops what is null", "write `svc: {}`"),
    ("plugins: {svc: []}", "1:16", "HET014", "`svc` is a list, not a mapping", "write `svc: {}`"),
    ("plugins: {shh: {}}", "1:11", "HET012", "unknown key `shh` in `plugins`", "did you mean `ssh`?"),
    ("plugins: {ssh: {port: 70000}}", "1:23", "HET019", "`port` is 70000, and must be at most 65535", "write a number that is at most 65535"),
    ("tasks: [a]", "1:8", "HET014", "`tasks` is a list, not a mapping by task name", "write `tasks: {NAME: {image: …}}`"),
    ("tasks: {a: 5}", "1:12", "HET014", "task `a` is `5`, not a mapping", "write a mapping"),
    ("tasks: {a: {imag: x}}", "1:13", "HET012", "unknown key `imag` in task `a`", "did you mean `image`?"),
    ("tasks: {a: {namespace: x}}", "1:13", "HET020", "`namespace` belongs to the whole job, not to task `a`",
     "write `namespace` at the top of the overlay"),
    ("tasks: {a: {replicas: 2}}", "1:13", "HET020", "`replicas` is shape, and shape stands in the request only",
     "write it in the request: `2*NAME<…>`"),
    ("nodeSelector: {a: b}", "1:1", "HET012", "unknown key `nodeSelector` in an overlay", "did you mean `node_selector`?"),
    ("Image: x", "1:1", "HET012", "unknown key `Image` in an overlay", "did you mean `image`?"),
    ("cmd: x", "1:1", "HET012", "unknown key `cmd` in an overlay", "did you mean `command`?"),
    ("foo: {bar: {privileged: true}}", "1:13", "HET403", "`privileged` is not allowed: it gives the container the node's own rights", "leave it out"),
    ("a: &x {hostPath: /}\n", "1:8", "HET402", "`hostPath` is not allowed: it opens the node's own files to the pod",
     "mount a PersistentVolumeClaim: `mounts: {data: {path: /data, claim: NAME}}`"),
    ("[a]", "1:1", "HET014", "an overlay is a mapping, not a list", "write keys such as `image:` and `command:`"),
    ("5", "1:1", "HET014", "an overlay is a mapping, not `5`", "write keys such as `image:` and `command:`"),
    ('plugins: [ssh]', '1:10', 'HET014', '`plugins` is a list, not a mapping',
     'write `plugins: {ssh: {}}`'),
    ('plugins: ssh', '1:10', 'HET014', '`plugins` is `ssh`, not a mapping',
     'write `plugins: {ssh: {}}`'),
    ('plugins: {ssh: ["--ssh-port=22", "--ssh-key-file-path=/x y"]}', '1:16', 'HET014', '`ssh` is a list, not a mapping',
     'write `ssh: {port: 22, key_file_path: "/x y"}`'),
    ('plugins: {ssh: true}', '1:16', 'HET014', '`ssh` is `true`, not a mapping',
     'write `ssh: {}`'),
    ('plugins: {ssh: ["--foo"]}', '1:16', 'HET014', '`ssh` is a list, not a mapping',
     'write a mapping'),
    ('env: [{name: A, value: b}, {name: B, value: "1"}]', '1:6', 'HET014', '`env` is a list, not a mapping of variable to value',
     'write `env: {A: b, B: "1"}`'),
    ('env: [{name: A, valueFrom: {secretKeyRef: {name: s, key: k}}}]', '1:6', 'HET014', '`env` is a list, not a mapping of variable to value',
     'write `env: {A: {secret: s, key: k}}`'),
    ('labels: [{key: a, value: b}]', '1:9', 'HET014', '`labels` is a list, not a mapping of label to value',
     'write `labels: {a: b}`'),
    ('mounts: [{name: data, mountPath: /data, readOnly: true}]', '1:9', 'HET014', '`mounts` is a list, not a mapping of mount to value',
     'write `mounts: {data: {path: /data, claim: NAME, read_only: true}}`'),
    ('mounts: [{name: data, mount_path: /data, persistentVolumeClaim: {claimName: c}}, {name: s, mountPath: /s, emptyDir: {}}]', '1:9', 'HET014', '`mounts` is a list, not a mapping of mount to value',
     'write `mounts: {data: {path: /data, claim: c}, s: {path: /s, empty_dir: {}}}`'),
    ('env_from: {secret: w}', '1:11', 'HET014', '`env_from` is a mapping, not a list',
     'write `env_from: [{secret: w}]`'),
    ('env_from: [{secretRef: {name: w}}]', '1:12', 'HET019', 'an item of `env_from` has the keys `secretRef`',
     'write `{secret: w}`'),
    ('env_from: {secretRef: {name: w}}', '1:11', 'HET014', '`env_from` is a mapping, not a list',
     'write `env_from: [{secret: w}]`'),
    ('env_from: secret', '1:11', 'HET014', '`env_from` is `secret`, not a list',
     'write a list'),
    ('image_pull_secrets: [{name: x}]', '1:22', 'HET014', 'an item of `image_pull_secrets` is a mapping, not text',
     'write the name alone: `[x]`'),
    ('image_pull_secrets: {name: x}', '1:21', 'HET014', '`image_pull_secrets` is a mapping, not a list',
     'write `image_pull_secrets: [x]`'),
    ('env: {A: {valueFrom: {secretKeyRef: {name: s, key: k}}}}', '1:10', 'HET019', 'variable `A` has the keys `valueFrom`',
     'write `{secret: s, key: k}`'),
    ('env: {A: {valueFrom: {fieldRef: {fieldPath: status.podIP}}}}', '1:10', 'HET019', 'variable `A` has the keys `valueFrom`',
     'write `{field: status.podIP}`'),
    ('env: {A: {secretKeyRef: {name: s}}}', '1:10', 'HET019', 'variable `A` has the keys `secretKeyRef`',
     'write `{secret: s, key: KEY}`'),
    ('env: {A: {value: b}}', '1:10', 'HET019', 'variable `A` has the keys `value`',
     'write `b`'),
    ('mounts: {d: {path: /x, config_map: c, items: [{key: a, path: b}]}}', '1:46', 'HET014', '`items` is a list, not a mapping of file name to value',
     'write `items: {b: a}`'),
    ('shm_size: 3Gi', '1:1', 'HET012', 'unknown key `shm_size` in an overlay',
     'write `container_args: {shm_size: 3Gi}`'),
    ('tasks: {w: {shmSize: 3Gi}}', '1:13', 'HET012', 'unknown key `shmSize` in task `w`',
     'write `container_args: {shm_size: 3Gi}`'),
    ('restartPolicy: Always', '1:1', 'HET407', '`restartPolicy` is not allowed: raw pod fields pass by every check',
     "write `gang[fail=restart]` in the request, or another of the gang's rules: hetc sets the pods' own"),
    ('priorityClassName: x', '1:1', 'HET407', '`priorityClassName` is not allowed: raw pod fields pass by every check',
     'write `priority_class: NAME`'),
    ('serviceAccountName: x', '1:1', 'HET012', 'unknown key `serviceAccountName` in an overlay',
     'did you mean `service_account`?'),
    ('args: [a]', '1:1', 'HET407', '`args` is not allowed: raw pod fields pass by every check',
     'write the whole line in `command`'),
    ('topologySpreadConstraints: []', '1:1', 'HET407', '`topologySpreadConstraints` is not allowed: raw pod fields pass by every check',
     'write node labels as `select[KEY=VALUE]` in the request or as `node_selector`, and `pack=TIER` to keep a group together'),
    ('affinity: {podAffinity: {}}', '1:12', 'HET012', 'unknown key `podAffinity` in `affinity`', 'known keys: `preferred`, `required`'),
    ('profiles: {a: {profiles: [b]}}', '1:16', 'HET020', '`profiles` is a task\'s key, and profile `a` is none', 'write `profiles` in the task'),
    ('profiles: {a: {queue: b}}', '1:16', 'HET020', '`queue` belongs to the whole job, not to profile `a`',
     'write `queue` at the top of the overlay'),
    ('profiles: [a]', '1:11', 'HET014', '`profiles` is a list, not a mapping by profile name', 'write `profiles: {NAME: {image: …}}`'),
    ('dnsPolicy: x', '1:1', 'HET407', '`dnsPolicy` is not allowed: raw pod fields pass by every check',
     'leave it out, or use a key that `hetc schema overlay` lists'),
    ('policies: [{event: PodFailed}]', '1:20', 'HET019', '`event` is `PodFailed`, which is not an event', 'write `pod-failed`'),
    ('policies: [{event: zzz}]', '1:20', 'HET019', '`event` is `zzz`, which is not an event',
     'write one of `any`, `pod-evicted`, `pod-failed`, `pod-pending`, `task-completed`, `unknown`'),
    ('policies: [{event: 3}]', '1:20', 'HET014', '`event` is `3`, not an event',
     'write one of `any`, `pod-evicted`, `pod-failed`, `pod-pending`, `task-completed`, `unknown`'),
    ('policies: [{action: restart}]', '1:21', 'HET019', '`action` is `restart`, which is not an action', 'write `restart-job`'),
    ('time_limit: 36', '1:13', 'HET019', '`time_limit`: `36` has a number without a unit', 'write hours, minutes and seconds, such as `90m`'),
    ('time_limit: [36h]', '1:13', 'HET014', '`time_limit` is a list, not a length of time such as `90m`', 'write a length of time such as `90m`'),
    ('depends_on: [a]', '1:1', 'HET020', '`depends_on` is a task\'s key', 'write it in a task: `tasks: {TASK: {depends_on: …}}`'),
])
def test_refused(text: str, place: str, code: str, message: str, help: str) -> None:
    assert check(text) == [(place, "error", code, message, help)]


@pytest.mark.parametrize(("text", "place", "message", "help"), [
    ("image: 2026-08-01", "1:8", f"`image` is `2026-08-01`, {SOME}", 'quote it: `"2026-08-01"`'),
    ("env: {A: 12:30:00}", "1:10", f"variable `A` is `12:30:00`, {SOME}", 'quote it: `"12:30:00"`'),
    ("env: {A: =}", "1:10", f"variable `A` is `=`, {SOME}", 'quote it: `"="`'),
])
def test_a_string_that_not_every_reader_takes_for_one_is_a_warning(text: str, place: str, message: str, help: str) -> None:
    assert check(text) == [(place, "warning", "HET015", message, help)]


@pytest.mark.parametrize(("text", "place", "message", "help"), [
    ('command: [python a.py --langs en,de]', '1:33', 'the comma behind `python a.py --langs en` ends a line of `command`',
     'if the comma is part of the line, quote it: `"python a.py --langs en,de"`; else write a blank behind the comma'),
    ('command: [python a.py --langs en,de,fr, exit 0]', '1:33', 'the comma behind `python a.py --langs en` ends a line of `command`',
     'if the comma is part of the line, quote it: `"python a.py --langs en,de,fr"`; else write a blank behind the comma'),
    ('command: [python, train.py, --lr, 0.1]', '1:10', '`command` looks like the words of one command, but each item is a shell line',
     'if one command is meant, write it as one line: `python train.py --lr 0.1`'),
    ('command: [python train.py, --lr, 0.1]', '1:10', '`command` looks like the words of one command, but each item is a shell line',
     'if one command is meant, write it as one line: `python train.py --lr 0.1`'),
    ('command: [python,train.py]', '1:10', '`command` looks like the words of one command, but each item is a shell line',
     'if one command is meant, write it as one line: `python train.py`'),
])
def test_a_list_that_was_meant_as_one_line_is_a_warning(text: str, place: str, message: str, help: str) -> None:
    assert [found for found in check(text) if found[1] == "warning"] == [(place, "warning", "HET031", message, help)]


@pytest.mark.parametrize("text", [
    "command: [a b, c d]", 'command: ["a b","c d"]', "command: [a b ,c d]", "command:\n- echo a,b\n- echo c,d", "command: [a b\n,c d]",
    "command: ['--x y']", "command: []", "setup: [a b,\n  c d]",
])
def test_a_list_of_lines_is_no_warning(text: str) -> None:
    assert check(text) == []


@pytest.mark.parametrize(("key", "close"), [
    ("pvc", "claim"), ("mountPath", "path"), ("mount_path", "path"), ("claimName", "claim"), ("secretName", "secret"), ("subPath", "sub_path"),
    ("readOnly", "read_only"), ("read-only", "read_only"), ("configMap", "config_map"), ("emptyDir", "empty_dir"), ("defaultMode", "mode"),
    ("persistentVolumeClaim", "claim"),
])
def test_the_words_of_kubernetes_in_a_mount(key: str, close: str) -> None:
    assert check(f"mounts: {{d: {{{key}: x}}}}") == [
        ("1:14", "error", "HET012", f"unknown key `{key}` in mount `d`", f"did you mean `{close}`?"),
    ]


@pytest.mark.parametrize(("key", "help"), [
    ("restartPolicy", "leave it out: hetc sets it so that a failed pod ends the job"), ("priorityClassName", "write `priority: NAME` under `config.target`"),
    ("topologySpreadConstraints", "write node labels as `node_selector` of the task"), ("dnsPolicy", "leave it out, or use a key that `hetc schema template` lists"),
    ("args", "write the whole line in `command`"),
])
def test_a_layer_over_a_template_has_no_request_to_write_in(key: str, help: str) -> None:
    report = Report()
    for document in read(Source("x.yaml", f"{key}: x"), report) or []:
        check_overlay(document, ALL, report, template=True)
    assert [(found.code.code, found.help) for found in report.diagnostics] == [("HET407", help)]


def test_every_passthrough_says_what_to_do() -> None:
    helps = [found[4] for key, code in BANNED.items() if code.code == "HET407" for found in check(f"{key}: x")]
    assert helps
    assert all(help and help.startswith(("write ", "leave it out")) for help in helps)


@pytest.mark.parametrize("text", [
    "", "{}", "image: x", "image: null", 'image: "5"', "env: {NO: x, 5: z}", "env: {A: {secret: s, key: k}, B: {field: status.podIP}}", "command: x",
    "command: [a b, c]", "setup: []", "container_args: {}", "mounts: {m: {path: /m, secret: s, mode: 0400}}",
    'mounts: {m: {path: /m, secret: s, mode: "0400"}}', "mounts: {m: {path: /m, secret: s, mode: 0o400}}", "mounts: {m: {path: /m, empty_dir: {}}}",
    "mounts: {m: {path: /m, empty_dir: {size: 10Gi}}}", "ttl_seconds_after_finished: 2.0", "plugins: {svc: {}, env: {}, ssh: {port: 22}}",
    "plugins: {ssh: null}", "tasks: {a: null}", "tasks: {a: {image: x, setup: null}}", "image: !!str 5", '{"image": "x", "command": ["y"]}',
])
def test_accepted(text: str) -> None:
    assert check(text) == []


@pytest.mark.parametrize("key", sorted(BANNED))
def test_banned_keys_are_never_merely_unknown(key: str) -> None:
    for spelling in (key, key.upper(), "_".join(key), key.capitalize()):
        for text in (f"{spelling}: true", f"tasks: {{a: {{{spelling}: true}}}}", f"container_args: {{{spelling}: true}}", f"x: {{y: [{{{spelling}: 1}}]}}"):
            assert [found[2] for found in check(text)] == [BANNED[key].code], text


@pytest.mark.parametrize("key", sorted(SHAPE_KEYS))
def test_shape_keys_name_the_place_to_write_them(key: str) -> None:
    ((_, _, code, _, help),) = check(f"{key}: 1")
    assert code == "HET020"
    assert help is not None
    assert SHAPE_KEYS[key] in help


def test_a_banned_key_behind_a_merge_key_is_found() -> None:
    assert [found[2] for found in check("x: &h {hostNetwork: true}\ntasks: {a: {<<: *h}}\n")] == ["HET405"]


def test_every_row_says_what_it_is_for() -> None:
    assert [field.name for field in ALL if not field.doc.endswith(".")] == []
    for rows in (job_fields(ALL), task_fields(ALL)):
        assert len({field.name for field in rows}) == len(rows)


TREES = st.recursive(st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
                     lambda inner: st.lists(inner, max_size=3) | st.dictionaries(
                         st.sampled_from([*(field.name for field in ALL), "secret", "path", "claim", "svc", "a"]) | st.text(max_size=4), inner, max_size=4),
                     max_leaves=12)


@given(TREES)
def test_no_tree_crashes_the_checker(tree: object) -> None:
    check(json.dumps(tree))


@pytest.mark.parametrize(("text", "place", "code", "message", "help"), [
    ("affinity: {required: [{operator: Exists}]}", "1:23", "HET026", "an item of `required` has no `key`", "add `key: topology.kubernetes.io/zone`, for example"),
    ("affinity: {preferred: [{key: a}]}", "1:24", "HET026", "an item of `preferred` has no `operator`", "add `operator: In`, for example"),
    ("tolerations: [{key: null, operator: Exists}]", "1:16", "HET013", "`key` of an item of `tolerations` is null, and lists have nothing below them", "leave `key` out"),
    ("policies: [{event: null, exit_code: 3, action: abort-job}]", "1:13", "HET013", "`event` of an item of `policies` is null, and lists have nothing below them",
     "leave `event` out"),
])
def test_mappings_in_lists_are_whole(text: str, place: str, code: str, message: str, help: str) -> None:
    assert check(text) == [(place, "error", code, message, help)]


def test_what_a_profile_may_have() -> None:
    assert check("profiles: {big: {scheduling: {task_priority: 1}, time_limit: 1h, policies: [], run_as: {user: 1}}}") == []
    assert [found[1:] for found in check("profiles: {big: {depends_on: [a], profiles: [b]}}")] == [
        ("error", "HET020", f"`{key}` is a task's key, and profile `big` is none", f"write `{key}` in the task") for key in ("depends_on", "profiles")]
