from __future__ import annotations

import pytest

from hetc.record import replace
from hetc.rules.job_name import RULE
from tests.rules import checks
from tests.rules.checks import NO_SITE, check_het, check_manifest
from tests.rules.helpers import job

SVC = "plugins: {svc: []}\n"
VOLUME = "volumes: [{mountPath: /data, volumeClaimName: corpus}]\n"


def test_a_name_that_is_no_dns_name() -> None:
    assert check_manifest(RULE, job(name='"demo "')) == [
        (3, 18, "error", "the job's name is no DNS name: `demo ` has ` `, and only a-z, 0-9, `-` and `.` are allowed", "write `demo`"),
    ]


def test_a_name_beyond_a_label() -> None:
    assert check_manifest(RULE, job(name="j" * 63)) == []
    assert check_manifest(RULE, job(name="j" * 64)) == [
        (3, 18, "error", f"the job's name is no DNS name: `{'j' * 64}` has 64 characters, 1 more than the 63 allowed",
         f"write `{'j' * 63}`"),
    ]


@pytest.mark.parametrize("metadata", ['{name: ""}', "{namespace: ns}", "{generateName: ''}"])
def test_no_name(metadata: str) -> None:
    text = job().replace("{name: demo}", metadata)
    assert [each[2:] for each in check_manifest(RULE, text)] == [("error", "the job has no name", "write `metadata.name`")]
    assert [each.help for each in check_manifest(RULE, text, emitted=True)] == ["write `name: NAME` in an overlay, or give --name NAME"]


@pytest.mark.parametrize(("spec", "user"), [
    (SVC, "plugin `svc`"), ("plugins: {ssh: []}\n", "plugin `ssh`"), ("plugins: {ray: []}\n", "plugin `svc`"), (VOLUME, "`spec.volumes`"),
])
def test_a_dot_where_a_label_is_made_of_it(spec: str, user: str) -> None:
    assert check_manifest(RULE, job(spec=spec, name="llama-3.1-sft")) == [
        (3, 18, "error", f"`llama-3.1-sft` has a dot, and {user} makes a DNS label of it, which has none", "write `llama-3-1-sft`"),
    ]


@pytest.mark.parametrize("spec", ["", "plugins: {env: []}\n", "plugins: {svc: }\n", "volumes: []\n"])
def test_a_dot_where_nothing_minds(spec: str) -> None:
    assert check_manifest(RULE, job(spec=spec, name="llama-3.1-sft")) == []


def test_a_digit_first_before_1_36() -> None:
    text = job(spec=SVC, name="3d-model")
    message = "`3d-model` starts with `3`, and a Service, which plugin `svc` names after the job, starts with a letter"
    help = "write `job-3d-model`, or say `[kubernetes] version` in the site file if it is 1.36 or later"
    assert check_manifest(RULE, text) == [(3, 18, "error", message, help)]
    assert len(check_manifest(RULE, text, replace(NO_SITE, kubernetes=(1, 35)))) == 1
    assert check_manifest(RULE, text, replace(NO_SITE, kubernetes=(1, 36))) == []
    assert check_manifest(RULE, job(spec="plugins: {ssh: []}\n", name="3d-model")) == []


@pytest.mark.parametrize(("spec", "most", "suffix", "what"), [
    (SVC, 59, "-svc", "the volume of plugin `svc`"),
    ("plugins: {ssh: []}\n", 59, "-ssh", "the volume of plugin `ssh`"),
    ("plugins: {mpi: []}\n", 59, "-svc", "the volume of plugin `svc`"),
    ("plugins: {ray: []}\n", 54, "-head-svc", "the Service of plugin `ray`"),
    (VOLUME, 50, "-xxxxxxxxxxxx", "a volume of `spec.volumes`"),
    (SVC + VOLUME, 50, "-xxxxxxxxxxxx", "a volume of `spec.volumes`"),
])
def test_names_made_of_it(spec: str, most: int, suffix: str, what: str) -> None:
    assert check_manifest(RULE, job(spec=spec, name="j" * most)) == []
    assert check_manifest(RULE, job(spec=spec, name="j" * (most + 2))) == [(
        3, 18, "error", f"`{'j' * (most + 2)}{suffix}`, {what}, has 65 characters, 2 more than the 63 of a DNS label",
        f"cut 2 from the job's name: at most {most} here",
    )]


@pytest.mark.parametrize(("length", "starts"), [(63, f"`{'j' * 63}-svc`, "), (64, "the job's name is no DNS name")])
def test_a_name_too_long_in_itself_is_told_once(length: int, starts: str) -> None:
    found = check_manifest(RULE, job(spec=SVC, name="j" * length))
    assert len(found) == 1 and found[0].message.startswith(starts)


def test_a_generated_name_counts_with_its_end() -> None:
    def text(prefix: str) -> str:
        return job(spec=SVC).replace("{name: demo}", f"{{generateName: {prefix}}}")

    assert check_manifest(RULE, text("g" * 54)) == []
    assert check_manifest(RULE, text("g" * 55))[0][3].startswith(f"`{'g' * 55}xxxxx-svc`, the volume of plugin `svc`, has 64 characters")
    assert check_manifest(RULE, text("gen-")) == []


@pytest.mark.parametrize(("name", "said"), [("A" * 53, 0), ("A" * 52, 1)])
def test_a_cron_job_s_name_that_is_too_long_is_another_rule_s(name: str, said: int) -> None:
    text = checks.cron_job(checks.job(checks.task())).replace("name: demo", f"name: {name}")
    assert len(check_manifest(RULE, text)) == said


@pytest.mark.parametrize(("template", "by_hand", "emitted"), [
    ("t", 0, 0), ("t" * 63, 1, 0), ("t" * 64, 1, 1),
])
def test_a_job_of_a_flow(template: str, by_hand: int, emitted: int) -> None:
    """What is too long only behind the flow's name is said of the flow where hetc made it."""
    text = checks.job(checks.task()).replace("batch.volcano.sh", "flow.volcano.sh").replace("kind: Job", "kind: JobTemplate")
    text = text.replace("name: demo", f"{{name: {template}, namespace: ml}}") + "---\n" + checks.flow(f"{{name: {template}}}")
    assert [len(check_manifest(RULE, text, emitted=each)) for each in (False, True)] == [by_hand, emitted]


def test_an_emitted_name() -> None:
    assert [each.help for each in check_manifest(RULE, job(name="Demo"), emitted=True)] == ["write `demo`"]


def test_in_a_het_file() -> None:
    text = "1*master<cpu=1, mem=1Gi>\n---\nname: my.job\nimage: a.example/b:1\ncommand: [run]\n"
    assert check_het("HET102", text) == [
        (3, 7, "error", "`my.job` has a dot, and plugin `svc` makes a DNS label of it, which has none", "write `my-job`"),
    ]
    assert check_het("HET102", text.replace("my.job", "my-job")) == []


def test_a_stem_that_is_too_long() -> None:
    text = "1*master<cpu=1, mem=1Gi>\n---\nimage: a.example/b:1\ncommand: [run]\n"
    assert [each[:3] for each in check_het("HET102", text, name="s" * 60 + ".het")] == [(1, 1, "error")]
    assert check_het("HET102", text, name="s" * 50 + ".het") == []


def test_a_prefix_is_a_name_but_for_its_end() -> None:
    def found(prefix: str) -> list[tuple[str, str | None]]:
        return [each[3:] for each in check_manifest(RULE, job().replace("{name: demo}", f"{{generateName: {prefix}}}"))]

    assert found("a.") == [("the job's name is no DNS name: `a.` has a dot without a letter or digit beside it", "write `a-`")]
    capital = "the job's name is no DNS name: `aB-xxxxx` has `B`, and only a-z, 0-9, `-` and `.` are allowed"
    assert found("aB-") == [(capital, None)]
    assert check_manifest(RULE, job().replace("{name: demo}", "{name: demo, generateName: a.}")) == []
    assert [help for _, help in found("aX.")] == [None]
    assert [help for _, help in found("a...")] == ["write `a-`"]
    assert found("a-") == found("a") == found("a.b-") == []
