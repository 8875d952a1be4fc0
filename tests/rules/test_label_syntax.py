from __future__ import annotations

import pytest

from hetc.rules.label_syntax import MOST_ANNOTATIONS, RULE
from tests.rules.checks import check_het, check_manifest
from tests.rules.helpers import job

OBJECTS = "longer or freer text goes into an annotation or a variable"
FIND = "write the label's value as `kubectl get --show-labels` shows it"


def metadata(lines: str) -> str:
    return job().replace("{name: demo}", f"{{name: demo, {lines}}}")


def messages(text: str) -> list[str]:
    return [each.message for each in check_manifest(RULE, text)]


def test_the_value_of_a_label() -> None:
    assert check_manifest(RULE, metadata(f"labels: {{a: {'x' * 64}}}")) == [
        (3, 36, "error", f"no legal label value: `{'x' * 64}` has 64 characters, 1 more than the 63 allowed", OBJECTS),
    ]
    assert messages(metadata(f"labels: {{a: {'x' * 63}, b: '', c: A_b.c-1}}")) == []
    assert messages(metadata("labels: {a: 'b c'}"))[0].startswith("no legal label value: `b c` has ` `, and only letters, ")


def test_the_key_of_a_label() -> None:
    assert check_manifest(RULE, metadata("labels: {-a: b}")) == [
        (3, 33, "error", "no legal label key: `-a` starts with `-`, not with a letter or digit", None),
    ]
    assert messages(metadata("labels: {Ex.org/a: b}"))[0].startswith("no legal label key: `Ex.org` has `E`")
    assert messages(metadata(f"labels: {{{'p' * 253}/{'n' * 63}: b}}")) == []
    assert len(messages(metadata(f"labels: {{{'p' * 254}/n: b}}"))) == len(messages(metadata(f"labels: {{p/{'n' * 64}: b}}"))) == 1


def test_annotations_have_free_values_and_keys_with_capitals() -> None:
    assert messages(metadata(f"annotations: {{Ex.org/a: 'any thing: {'x' * 99}'}}")) == []
    assert check_manifest(RULE, metadata("annotations: {a/b/c: d}")) == [
        (3, 38, "error", "no legal annotation key: `a/b/c` has more than one `/`", None),
    ]


def test_annotations_in_all() -> None:
    def text(size: int) -> str:
        return metadata(f"annotations: {{a: b, c: {'x' * (size - 3)}}}")

    assert messages(text(MOST_ANNOTATIONS)) == []
    assert check_manifest(RULE, text(MOST_ANNOTATIONS + 1)) == [
        (3, 44, "error", "the annotations have 262,145 bytes in all, more than the 262,144 that an object may have",
         "put large data into a ConfigMap"),
    ]


def test_a_template_has_labels_too() -> None:
    text = job().replace("    template:\n", "    template:\n      metadata: {labels: {a: -}, annotations: {-: a}}\n")
    assert [(each.line, each.column) for each in check_manifest(RULE, text)] == [(9, 30), (9, 48)]


def test_a_node_selector() -> None:
    assert check_manifest(RULE, job(pod="nodeSelector: {node pool: 'two words'}\n")) == [
        (13, 24, "error", "no legal label key: `node pool` has ` `, and only letters, digits, `-`, `_` and `.` are allowed", None),
        (13, 35, "error", "no legal label value: `two words` has ` `, and only letters, digits, `-`, `_` and `.` are allowed", FIND),
    ]
    assert messages(job(pod="nodeSelector: {example.com/pool: a100}\n")) == []


REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution"
AFFINITIES = [
    f"nodeAffinity: {{{REQUIRED}: {{nodeSelectorTerms: [{{matchExpressions: [EXPRESSION]}}]}}}}",
    f"nodeAffinity: {{{PREFERRED}: [{{weight: 1, preference: {{matchExpressions: [EXPRESSION]}}}}]}}",
    f"podAntiAffinity: {{{REQUIRED}: [{{topologyKey: t, labelSelector: {{matchExpressions: [EXPRESSION]}}}}]}}",
]


@pytest.mark.parametrize("affinity", AFFINITIES)
def test_affinities(affinity: str) -> None:
    def found(expression: str) -> list[str]:
        return messages(job(pod=f"affinity: {{{affinity.replace('EXPRESSION', expression)}}}\n"))

    assert found("{key: a, operator: In, values: [b, c-]}") == ["no legal label value: `c-` ends with `-`, not with a letter or digit"]
    assert found("{key: '', operator: Exists}") == ["no legal label key: the name is empty"]
    assert found("{key: a b, operator: Exists}")[0].startswith("no legal label key: `a b` has ` `")
    assert found("{key: a, operator: In, values: [b, c]}") == found("{key: 5, operator: Exists}") == []
    assert found("{key: a, operator: Gt, values: ['-5']}") == found("{key: a, operator: Lt, values: ['-5']}") == []


def test_match_labels() -> None:
    for selector in ("matchLabels: {a: -}", "matchExpressions: [{key: a, operator: In, values: ['-']}]"):
        text = job(pod=f"affinity: {{podAffinity: {{any: [{{labelSelector: {{{selector}}}}}]}}}}\n")
        assert [each[2:] for each in check_manifest(RULE, text)] == [
            ("error", "no legal label value: `-` starts with `-`, not with a letter or digit", FIND)]


def test_in_a_het_file() -> None:
    text = "1*master<cpu=1, mem=1Gi>\n---\nimage: a.example/b:1\ncommand: [run]\nlabels: {team: the team}\n"
    assert check_het("HET105", text) == [
        (5, 16, "error", "no legal label value: `the team` has ` `, and only letters, digits, `-`, `_` and `.` are allowed", OBJECTS),
    ]
    assert check_het("HET105", text.replace("the team", "vision")) == []


def template(size: int, task: str = "", metadata: str = "") -> str:
    """A job whose task has `size` bytes of annotations."""
    text = f"    template:\n      metadata: {{annotations: {{a: {'x' * (size - 1)}}}}}\n"
    return job().replace("    template:\n", task + text).replace("{name: demo}", f"{{name: demo{metadata}}}")


#: Keys and values that Volcano sets on the pods of task `worker` of job `demo`.
ADDED = sum(len(text) for text in (
    "volcano.sh/task-index", "0", "volcano.sh/task-spec", "worker", "volcano.sh/job-name", "demo", "volcano.sh/queue-name", "default",
    "volcano.sh/job-version", "0", "volcano.sh/job-retry-count", "0", "volcano.sh/template-uid", "demo-worker",
    "scheduling.k8s.io/group-name", "demo-" + "x" * 36,
))


def test_volcano_adds_annotations_to_pods() -> None:
    message = f"the annotations have 262,145 bytes in all with the {ADDED} that Volcano adds, more than the 262,144 that an object may have"
    assert messages(template(MOST_ANNOTATIONS - ADDED)) == []
    assert check_manifest(RULE, template(MOST_ANNOTATIONS - ADDED + 1)) == [
        (9, 32, "error", message, "put large data into a ConfigMap"),
    ]
    assert messages(metadata(f"annotations: {{a: {'x' * (MOST_ANNOTATIONS - 1)}}}")) == []


def test_what_volcano_adds_depends_on_the_job() -> None:
    policy = "    topologyPolicy: restricted\n"
    most = MOST_ANNOTATIONS - ADDED - len("volcano.sh/numa-topology-policy" + "restricted")
    assert messages(template(most, policy)) == [] != messages(template(most + 1, policy))
    given = ", annotations: {volcano.sh/preemptable: 'true', other: x}"
    most = MOST_ANNOTATIONS - ADDED - len("volcano.sh/preemptable" + "true")
    assert messages(template(most, "", given)) == [] != messages(template(most + 1, "", given))


@pytest.mark.parametrize(("old", "new", "longer"), [
    ("replicas: 1", "replicas: 10", 0), ("replicas: 1", "replicas: 11", 1), ("replicas: 1", "replicas: 101", 2),
    ("spec:\n", "spec:\n  queue: research\n", len("research") - len("default")),
    ("name: demo", "name: training", 3 * (len("training") - len("demo"))),
    ("name: demo", "name: demo, annotations: {volcano.sh/preemptable: '1'}", len("volcano.sh/preemptable1")),
])
def test_how_long_it_is_what_volcano_adds(old: str, new: str, longer: int) -> None:
    most = MOST_ANNOTATIONS - ADDED - longer
    assert messages(template(most).replace(old, new, 1)) == [] != messages(template(most + 1).replace(old, new, 1))


def test_annotations_at_their_limit_without_what_volcano_adds() -> None:
    assert messages(template(MOST_ANNOTATIONS)) == [
        f"the annotations have {MOST_ANNOTATIONS + ADDED:,} bytes in all with the {ADDED} that Volcano adds, more than the 262,144 that an object may have"]


def test_of_equal_annotations_the_first_is_shown() -> None:
    value = "x" * 200_000
    assert [each[:2] for each in check_manifest(RULE, metadata(f"annotations: {{a: {value}, b: {value}}}"))] == [(3, 38)]


def test_what_volcano_overwrites_counts_once() -> None:
    text = template(MOST_ANNOTATIONS - ADDED).replace("annotations: {a:", "annotations: {volcano.sh/task-spec: worker, a:")
    assert messages(text) == []


def test_other_qualified_names() -> None:
    text = job(pod="schedulingGates: [{name: a b}, {name: ex.org/a}]\nreadinessGates: [{conditionType: ''}, {conditionType: a}]\n")
    assert messages(text) == ["no legal scheduling gate: `a b` has ` `, and only letters, digits, `-`, `_` and `.` are allowed",
                              "no legal type of a condition: the name is empty"]
    assert messages(metadata("finalizers: [ex.org/a, A B]")) == [
        "no legal finalizer: `A B` has ` `, and only letters, digits, `-`, `_` and `.` are allowed"]


def test_spreading() -> None:
    text = job(pod="topologySpreadConstraints: [{topologyKey: t, labelSelector: {matchLabels: {a b: c, d: e}}}]\n")
    assert messages(text) == ["no legal label key: `a b` has ` `, and only letters, digits, `-`, `_` and `.` are allowed"]


def test_claims() -> None:
    claim = "{selector: {matchLabels: {a b: c}, matchExpressions: [{key: a, operator: In, values: ['-']}]}}"
    template = f"{{metadata: {{labels: {{a b: c}}}}, spec: {claim}}}"
    found = messages(job(pod=f"volumes: [{{name: v, ephemeral: {{volumeClaimTemplate: {template}}}}}]\n"))
    assert [each.partition(":")[0] for each in found] == ["no legal label key", "no legal label key", "no legal label value"]
    assert found[1:] == messages(job(spec=f"volumes: [{{mountPath: /a, volumeClaim: {claim}}}]\n"))
