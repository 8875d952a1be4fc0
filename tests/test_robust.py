"""No file makes `hetc lint` stumble: no traceback, no place outside the file, no status but 0 and 1, whatever its bytes are.

The same is what the coverage-guided fuzzer in `fuzz/` runs; what it finds comes here as an example.
"""
from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from fuzz import seeds, targets
from tests.manifests import MANIFESTS

if TYPE_CHECKING:
    from tests.manifests import Data

KINDS = [*targets.TARGETS.values(), "template.yaml", "job.json", "job.txt"]
SEEDS = {target: seeds.seeds(target) for target in targets.TARGETS}
WORDS = {target: seeds.words(target) for target in targets.TARGETS}


@pytest.mark.parametrize("name", KINDS)
@settings(max_examples=40)
@given(st.binary(max_size=60))
@example(b"")
@example(b"\xff\xfe\x00")
@example(b"\xef\xbb\xbf")
@example(b"a: \xc3")
@example(b"\x00")
@example(b"\r\r\n")
@example(b"---\n...\n---\n")
@example("\u2028a: 1\x85b: 2".encode())
def test_any_bytes(name: str, data: bytes) -> None:
    targets.examine(name, data)


@pytest.mark.parametrize("target", targets.TARGETS)
@settings(max_examples=60)
@given(st.data())
def test_any_words(target: str, data: st.DataObject) -> None:
    pieces = data.draw(st.lists(st.sampled_from(WORDS[target]) | st.sampled_from([b"\n", b"\n  ", b" ", b": ", b"<", b">", b"*"]), max_size=30))
    targets.examine(targets.TARGETS[target], b"".join(pieces))


@pytest.mark.parametrize("target", targets.TARGETS)
@settings(max_examples=50)
@given(st.data())
def test_any_edit_of_what_is_right(target: str, data: st.DataObject) -> None:
    text = data.draw(st.sampled_from(SEEDS[target]))
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(text)))
        end = min(len(text), start + data.draw(st.integers(0, 40)))
        text = text[:start] + data.draw(st.sampled_from(WORDS[target]) | st.binary(max_size=4) | st.just(text[end:end + 20])) + text[end:]
    targets.examine(targets.TARGETS[target], text)


STRANGE = st.one_of(
    st.none(), st.booleans(), st.integers(-2**70, 2**70), st.floats(), st.text(max_size=4), st.sampled_from(["1Gi", "a" * 300, "/", "..", "$(A)", "\0"]),
    st.just([]), st.just({}), st.just([[]]), st.just([None]), st.just({"": None}),
)


@settings(max_examples=80)
@given(MANIFESTS, st.data())
def test_any_change_of_a_manifest(documents: list[Data], data: st.DataObject) -> None:
    """Of a right one, something somewhere is something else."""
    node: object = documents
    while isinstance(node, (dict, list)) and node:
        key = data.draw(st.sampled_from(sorted(node)) if isinstance(node, dict) else st.integers(0, len(node) - 1))
        if data.draw(st.integers(0, 4)) == 0 or not isinstance(node[key], (dict, list)):  # type: ignore[index]
            node[key] = data.draw(STRANGE)  # type: ignore[index]
            break
        node = node[key]  # type: ignore[index]
    targets.examine("job.yaml", "\n---\n".join(json.dumps(each) for each in documents).encode())


KEYS = st.sampled_from(
    "apiVersion kind metadata name namespace labels spec tasks template containers env value replicas minAvailable plugins svc policies event "
    "volumes volumeMounts mountPath resources limits cpu memory items schedule jobTemplate flows members selector tier no 1 <<".split()
)
LEAVES = st.one_of(
    st.sampled_from(["batch.volcano.sh/v1alpha1", "scheduling.volcano.sh/v1beta1", "Job", "CronJob", "Queue", "List", "worker", "1Gi", "/data", "~"]),
    st.sampled_from(["010", "1e3", ".nan", ".inf", "2026-08-01", "!!str 1", "&a x", "*a", "'", '"', "{{x}}", "\t", "\u00a0", "\x00", "- ", "|", "[", "}"]),
    st.integers(-2**70, 2**70), st.floats(), st.text(max_size=6), st.none(), st.booleans(),
)
TREES = st.recursive(LEAVES, lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(KEYS, inner, max_size=5)), max_leaves=25)


def written_out(tree: object, margin: str = "") -> str:
    """YAML of a tree, its texts as they are: often wrong, as a person's is."""
    if isinstance(tree, dict):
        return "".join(f"\n{margin}{key}: {written_out(value, margin + '  ')}" for key, value in tree.items())
    if isinstance(tree, list):
        return "".join(f"\n{margin}- {written_out(value, margin + '  ')}" for value in tree)
    return str(tree)


@settings(max_examples=60)
@given(st.dictionaries(KEYS, TREES, max_size=5), st.booleans())
@example({"spec": {"tasks": [{"template": {"spec": {"containers": [{"resources": {"limits": {"cpu": ".nan"}}}]}}}]}}, True)
@example({"spec": {"tasks": [{"name": "&a x", "value": "*a"}]}}, True)
def test_any_yaml_of_a_manifest(tree: dict[str, object], is_job: bool) -> None:
    head = "apiVersion: batch.volcano.sh/v1alpha1\nkind: Job" if is_job else "apiVersion: v1\nkind: Pod"
    whole = head + written_out({key: value for key, value in tree.items() if key not in ("apiVersion", "kind")}) + "\n"
    targets.examine("job.yaml", whole.encode("utf-8", "surrogatepass"))


@pytest.mark.parametrize("form", ["text", "concise", "json-lines", "sarif", "github", "junit", "gitlab"])
@settings(max_examples=25)
@given(st.sampled_from(SEEDS["manifest"]), st.integers(0, 2000), st.binary(max_size=6))
def test_every_form_takes_what_is_found(form: str, text: bytes, at: int, put: bytes) -> None:
    status, _ = targets.lint("job.yaml", text[:at] + put + text[at:], form)
    assert status in (0, 1)


@pytest.mark.parametrize("target", targets.TARGETS)
def test_the_fuzzer_has_something_to_start_from(target: str) -> None:
    assert len(SEEDS[target]) > 20 and len(WORDS[target]) > 100
    assert all(targets.examine(targets.TARGETS[target], seed) is not None for seed in SEEDS[target][::40])


def test_what_goes_wrong_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> int:
        raise KeyError("x")

    monkeypatch.setattr("hetc.commands.run", broken)
    with pytest.raises(KeyError):
        targets.examine("job.yaml", b"a: 1")
    with pytest.raises(AssertionError):
        targets.inside(3, 1, [5, 5], {})
    with pytest.raises(AssertionError):
        targets.inside(2, 7, [5, 5], {})
    targets.inside(2, 6, [5, 5], {})
