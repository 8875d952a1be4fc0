from __future__ import annotations

import pytest

from hetc.rules.volume_source import RULE
from tests.rules.checks import Found, check_het, check_manifest
from tests.rules.helpers import job, related


def volume(source: str) -> list[Found]:
    """The source begins at line 13, column 29."""
    return check_manifest(RULE, job(pod=f"volumes: [{{name: v, {source}}}]\n"))


def test_two_sources() -> None:
    assert volume("emptyDir: {}, secret: {secretName: s}") == [
        (13, 43, "error", "volume `v` has 2 sources: `emptyDir`, `secret`", "keep one of them"),
    ]
    assert related(RULE, job(pod="volumes: [{name: v, emptyDir: {}, nfs: {}}]\n")) == [(13, 29, "the first one")]
    assert volume("emptyDir: {}, secret: ") == volume("emptyDir: {}") == []


@pytest.mark.parametrize("source", ["", "emptyDir: "])
def test_no_source(source: str) -> None:
    assert volume(source) == [
        (13, 26, "warning", "volume `v` has no source, and becomes an empty directory", "write `emptyDir: {}` if that is meant"),
    ]


KINDS = [
    "configMap: {name: c, ITEMS}", "secret: {secretName: s, ITEMS}", "downwardAPI: {ITEMS}",
    "projected: {sources: [{secret: {name: s, ITEMS}}]}",
]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("path", "wrong"), [
    ("/a", "`/a` starts with `/`"), ("a/../b", "`a/../b` has a `..` part"), ("..a", "`..a` starts with `..`"), ("''", "the path is empty"),
])
def test_paths_of_files(kind: str, path: str, wrong: str) -> None:
    found = volume(kind.replace("ITEMS", f"items: [{{key: k, path: {path}}}]"))
    assert [each[2:4] for each in found] == [("error", f"no legal path of a file in a volume: {wrong}")]
    assert volume(kind.replace("ITEMS", "items: [{key: k, path: a/b}, {key: k, path: .a}, {key: k, path: a..}]")) == []


def test_two_files_of_one_path() -> None:
    items = "items: [{key: a, path: f}, {key: b, path: f}]"
    other = ("two files of the volume have the path `f`", "give each file a path of its own")
    assert volume(f"secret: {{secretName: s, {items}}}") == [(13, 95, "warning", *other)]
    assert [each.level for each in volume(f"projected: {{sources: [{{secret: {{name: s, {items}}}}}]}}")] == ["error"]
    two = "{secret: {items: [{key: a, path: f}]}}, {configMap: {items: [{key: a, path: f}]}}"
    assert [each.level for each in volume(f"projected: {{sources: [{two}]}}")] == ["error"]


def test_one_file_twice_by_an_alias() -> None:
    assert len(volume("secret: {secretName: s, items: [&f {key: a, path: f}, *f]}")) == 1
    assert len(check_manifest(RULE, job(spec="volumes: [&v {mountPath: /a, volumeClaimName: c}, *v]\n"))) == 1


@pytest.mark.parametrize(("mode", "level", "message", "help"), [
    ("644", "error", "defaultMode `644` is no file mode, which lies between 0 and 0777", "write `0644`, or 420 in JSON"),
    ("755", "error", "defaultMode `755` is no file mode, which lies between 0 and 0777", "write `0755`, or 493 in JSON"),
    ("512", "error", "defaultMode `512` is no file mode, which lies between 0 and 0777", "write `0512`, or 330 in JSON"),
    ("689", "error", "defaultMode `689` is no file mode, which lies between 0 and 0777", "write an octal number, such as `0644`"),
    ("01777", "error", "defaultMode `01777` is no file mode, which lies between 0 and 0777", "write an octal number, such as `0644`"),
    ("-1", "error", "defaultMode `-1` is no file mode, which lies between 0 and 0777", "write an octal number, such as `0644`"),
    ("400", "warning", "defaultMode `400` is a decimal number, the mode 0620", "write `0400`, or 256 in JSON"),
    ("440", "warning", "defaultMode `440` is a decimal number, the mode 0670", "write `0440`, or 288 in JSON"),
    ("500", "warning", "defaultMode `500` is a decimal number, the mode 0764", "write `0500`, or 320 in JSON"),
    ("688", "error", "defaultMode `688` is no file mode, which lies between 0 and 0777", "write an octal number, such as `0644`"),
    ("444", "warning", "defaultMode `444` is a decimal number, the mode 0674", "write `0444`, or 292 in JSON"),
])
def test_modes(mode: str, level: str, message: str, help: str) -> None:
    assert volume(f"secret: {{secretName: s, defaultMode: {mode}}}") == [(13, 66, level, message, help)]


@pytest.mark.parametrize("mode", ["0", "511", "0777", "0o400", "0400", "256", "420", "416", "0x1ff", "'0640'"])
def test_modes_that_are_fine(mode: str) -> None:
    assert volume(f"secret: {{secretName: s, defaultMode: {mode}}}") == []


@pytest.mark.parametrize("kind", ["configMap", "secret", "downwardAPI", "projected"])
def test_modes_of_every_kind(kind: str) -> None:
    assert len(volume(f"{kind}: {{defaultMode: 644}}")) == 1


def test_a_mode_that_hetc_wrote() -> None:
    text = job(pod="volumes: [{name: v, secret: {secretName: s, defaultMode: 1023}}]\n")
    assert [each.message for each in check_manifest(RULE, text, emitted=True)] == [
        "mode `0o1777` is no file mode, which lies between 0 and 0777",
    ]


def test_the_other_places_are_named() -> None:
    volumes = "volumes: [{mountPath: /a, volumeClaimName: c, volumeClaim: {}}, {mountPath: /b, volumeClaimName: c}]\n"
    files = "volumes: [{name: v, secret: {items: [{path: f}, {path: f}]}}]\n"
    pod = f"initContainers: [{{name: i}}]\n{files}"
    assert related(RULE, job(pod=pod, spec=volumes)) == [
        (15, 13, "the job's volume"), (15, 67, "the job's volume"), (14, 53, "the other one"),
        (15, 29, "the other one"), (15, 46, "the other one"),
    ]


def test_a_mode_of_one_file() -> None:
    assert [each.message for each in volume("configMap: {name: c, items: [{key: k, path: f, mode: 600}]}")] == [
        "mode `600` is no file mode, which lies between 0 and 0777",
    ]


def test_modes_that_hetc_wrote() -> None:
    def messages(source: str) -> list[str]:
        return [each.message for each in check_manifest(RULE, job(pod=f"volumes: [{{name: v, {source}}}]\n"), emitted=True)]

    assert messages("projected: {defaultMode: 600}") == ["mode `0o1130` is no file mode, which lies between 0 and 0777"]
    assert messages("configMap: {name: c, items: [{key: k, path: f, mode: 600}]}") == [
        "mode `0o1130` is no file mode, which lies between 0 and 0777"]
    assert [each.message for each in volume("projected: {defaultMode: 644}")] == [
        "defaultMode `644` is no file mode, which lies between 0 and 0777"]


def test_a_path_that_is_no_text_says_nothing_of_the_next() -> None:
    assert len(volume("secret: {secretName: s, items: [{key: a, path: 5}, {key: b, path: {}}, {key: c, path: /a}]}")) == 1


def test_each_path_that_is_none_is_told() -> None:
    assert len(volume("secret: {secretName: s, items: [{key: a, path: /a}, {key: b, path: /b}]}")) == 2


def test_the_place_of_the_other_file() -> None:
    text = job(pod="volumes: [{name: v, secret: {secretName: s, items: [{key: k, path: a}, {key: k, path: a/b}]}}]\n")
    assert related(RULE, text) == [(13, 76, "the other one")]


def job_volumes(*entries: str) -> list[Found]:
    volumes = "".join(f"- {{mountPath: /{index}, {entry}}}\n" for index, entry in enumerate(entries))
    return check_manifest(RULE, job(spec=f"volumes:\n{volumes}"))


@pytest.mark.parametrize("entry", ["", "volumeClaimName: ''", "volumeClaim: "])
def test_a_job_volume_without_a_claim(entry: str) -> None:
    assert job_volumes(entry) == [
        (14, 5, "error", "the job's volume has no claim", "add `volumeClaimName`, or `volumeClaim` for a new one"),
    ]


def test_a_job_volume_with_two_claims() -> None:
    assert job_volumes("volumeClaimName: c, volumeClaim: {}") == [(
        14, 41, "error", "the job's volume has both `volumeClaimName` and `volumeClaim`",
        "keep `volumeClaimName` for a claim that exists, `volumeClaim` for a new one",
    )]


def test_one_claim_in_two_job_volumes() -> None:
    assert job_volumes("volumeClaimName: c", "volumeClaimName: c") == [(
        15, 38, "error", "claim `c` stands in two of the job's volumes, and only the first is mounted",
        "mount it once, or mount it in the tasks with `volumes` and `volumeMounts`",
    )]
    assert job_volumes("volumeClaimName: c", "volumeClaimName: d", "volumeClaim: {}", "volumeClaim: {}") == []
    assert job_volumes("volumeClaimName: 5", "volumeClaimName: 5") == []


def test_an_init_container_sees_no_job_volume() -> None:
    def found(mount: str) -> list[Found]:
        pod = f"initContainers:\n- {{name: unpack, volumeMounts: [{mount}]}}\n"
        return check_manifest(RULE, job(pod=pod, spec="volumes: [{mountPath: /data, volumeClaimName: c}]\n"))

    assert found("") == [(
        13, 9, "warning", "init container `unpack` does not see the job's volumes, here `/data`",
        "mount the claim in the init container, with `volumes` and `volumeMounts`",
    )]
    assert found("{name: c, mountPath: /data}") == []


def test_many_job_volumes_are_not_named_all() -> None:
    entries = ", ".join(f"{{mountPath: /d{number}, volumeClaimName: c{number}}}" for number in range(12))
    text = job(pod="initContainers: [{name: i}]\n", spec=f"volumes: [{entries}]\n")
    assert check_manifest(RULE, text)[0].message.endswith(", here " + ", ".join(f"`/d{number}`" for number in range(10)))
    assert len(related(RULE, text)) == 10


HET = "1*master<cpu=1, mem=8Gi>\n---\nimage: a.b/c:1\ncommand: [run]\nmounts:\n  s: {path: /s, secret: s, "


def test_in_a_het_file() -> None:
    assert check_het("HET304", HET + 'items: {"../k": k}}\n') == [
        (6, 36, "error", "no legal path of a file in a volume: `../k` has a `..` part", "write a path below the volume's root"),
    ]
    assert check_het("HET304", HET + "mode: 0400, items: {k: k}}\n") == []


def test_the_mode_in_a_het_file() -> None:
    assert [each.message for each in check_het("HET304", HET + "mode: 0620}\n")] == []


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("path", "wrong"), [
    (".", "`.` is the volume itself"), ("./", "`./` is the volume itself"), ("a/" + "x" * 256, "has a part of more than 255 bytes, the most that Linux takes"),
])
def test_paths_that_no_file_can_have(kind: str, path: str, wrong: str) -> None:
    found = volume(kind.replace("ITEMS", f"items: [{{key: k, path: {path}}}]"))
    assert [each.level for each in found] == ["error"] and found[0].message.endswith(wrong)
    assert volume(kind.replace("ITEMS", f"items: [{{key: k, path: a/{'x' * 255}}}, {{key: k, path: ./b}}]")) == []


@pytest.mark.parametrize(("first", "second"), [("a", "a/b"), ("a/b", "a"), ("./a", "a/b/c"), ("a/b/c", "a//b")])
def test_a_file_where_another_needs_a_directory(first: str, second: str) -> None:
    items = f"items: [{{key: a, path: {first}}}, {{key: b, path: {second}}}]"
    message = f"one of `{second}` and `{first}` is a file where the other needs a directory"
    for source in (f"secret: {{secretName: s, {items}}}", f"projected: {{sources: [{{secret: {{name: s, {items}}}}}]}}"):
        assert [each[2:] for each in volume(source)] == [("error", message, "give each file a path of its own")]
    assert volume("secret: {secretName: s, items: [{key: a, path: a/b}, {key: b, path: a/c}, {key: c, path: ab}]}") == []


def test_two_files_of_one_path_that_is_spelt_twice() -> None:
    items = "items: [{key: a, path: ./f}, {key: b, path: f}]"
    assert [each[2:4] for each in volume(f"secret: {{secretName: s, {items}}}")] == [
        ("warning", "two files of the volume have the path `f`, once as `./f`")]


def test_two_files_of_one_path_in_a_het_file() -> None:
    text = "1*master<cpu=1, mem=8Gi>\n---\nimage: a.b/c:1\ncommand: [run]\nmounts:\n  s: {path: /s, secret: s, items: {f: a, ./f: b, f/g: c}}\n"
    assert [each[:4] for each in check_het("HET304", text)] == [
        (6, 36, "error", "two files of the volume have the path `f`, once as `./f`"),
        (6, 50, "error", "one of `f/g` and `./f` is a file where the other needs a directory"),
    ]


SINGLE = [
    "serviceAccountToken: {path: PATH}", "clusterTrustBundle: {name: b, path: PATH}",
    "podCertificate: {signerName: a.b/c, keyType: ED25519, keyPath: PATH, certificateChainPath: chain}",
    "podCertificate: {signerName: a.b/c, keyType: ED25519, credentialBundlePath: PATH}",
]


@pytest.mark.parametrize("source", SINGLE)
def test_sources_that_are_files_have_paths_too(source: str) -> None:
    def found(path: str) -> list[str]:
        return [each.message for each in volume(f"projected: {{sources: [{{{source.replace('PATH', path)}}}, {{secret: {{name: s, items: [{{key: k, path: x}}]}}}}]}}")]

    assert found("a/b") == []
    assert found("x") == ["two files of the volume have the path `x`"]
    assert found("x/y") == ["one of `x` and `x/y` is a file where the other needs a directory"]
    assert found("/a") == ["no legal path of a file in a volume: `/a` starts with `/`"]
    assert found("''") == ([] if source.startswith("podCertificate") else ["no legal path of a file in a volume: the path is empty"])
