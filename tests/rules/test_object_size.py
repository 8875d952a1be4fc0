"""HET608: the size of objects."""
from __future__ import annotations

import json

import pytest

from hetc.bound import MAX_OBJECT
from hetc.rules.object_size import MAX_APPLY, RULE
from hetc.tree import plain
from tests.rules.checks import check_manifest, manifest

APPLY = "use `kubectl apply --server-side`, or `kubectl create`"
STORE = "move long scripts into the image, or into a ConfigMap that is mounted"


def document(size: int, character: str = "x") -> str:
    """A document whose compact JSON has `size` bytes, of which `character` makes up most."""
    empty = len('{"kind":"Job","note":""}')
    count, rest = divmod(size - empty, len(character.encode()))
    return f'kind: Job\nnote: "{character * count}{"x" * rest}"\n'


@pytest.mark.parametrize("character", ["x", "é", "語"])
@pytest.mark.parametrize(("size", "found"), [
    (MAX_APPLY, []),
    (MAX_APPLY + 1, [(1, 1, "warning", "the object has 262,145 bytes, and a plain `kubectl apply` takes at most 262,144", APPLY)]),
    (MAX_OBJECT, [(1, 1, "warning", "the object has 1,572,864 bytes, and a plain `kubectl apply` takes at most 262,144", APPLY)]),
    (MAX_OBJECT + 1, [(1, 1, "error", "the object has 1,572,865 bytes, and the API server stores at most 1,572,864", STORE)]),
])
def test_limits(size: int, found: list[tuple[int, int, str, str, str]], character: str) -> None:
    text = document(size, character)
    compact = json.dumps(plain(manifest(text).documents[0]), ensure_ascii=False, separators=(",", ":"))
    assert len(compact.encode()) == size
    assert check_manifest(RULE, text) == found


def test_each_document_counts_for_itself() -> None:
    half = document(MAX_APPLY // 2 + 1)
    assert check_manifest(RULE, f"{half}---\n{half}") == []


def test_escapes_count() -> None:
    text = f'kind: Job\nnote: "{chr(92) * 2 * (MAX_APPLY // 2)}"\n'
    assert len(check_manifest(RULE, text)) == 1


def test_keys_count() -> None:
    keys = [f"{'k' * 990}{number:03}" for number in range(300)]
    assert len(check_manifest(RULE, "".join(f"{key}: a\n" for key in keys))) == 1


def test_a_large_document_behind_a_small_one() -> None:
    assert len(check_manifest(RULE, f"kind: Job\n---\n{document(MAX_APPLY + 1)}")) == 1
