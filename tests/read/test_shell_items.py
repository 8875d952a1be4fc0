"""HET031: lists of shell lines that look like the words of one command."""
from __future__ import annotations

import pytest

from tests.rules.checks import Found, check_het

TEXT = "1*master<cpu=1, mem=1Gi> + 2*w<cpu=1, mem=1Gi>\n---\nimage: b:1\n{}: {}\n"


def found(key: str, column: int, line: str) -> Found:
    message = f"`{key}` looks like the words of one command, but each item is a shell line"
    return Found(4, column, "warning", message, f"if one command is meant, write it as one line: `{line}`")


@pytest.mark.parametrize(("items", "line"), [
    ("[python, train.py]", "python train.py"),
    ("[python, -c, print(1)]", "python -c 'print(1)'"),
    ("[python train.py, --lr 3]", "python train.py --lr 3"),
    ("[python train.py, --lr, '3']", "python train.py --lr 3"),
    ("[torchrun, train.py --lr 3]", "torchrun 'train.py --lr 3'"),
])
@pytest.mark.parametrize("key", ["command", "setup"])
def test_words(key: str, items: str, line: str) -> None:
    assert check_het("HET031", TEXT.format(key, items)) == [found(key, len(key) + 3, line)]


@pytest.mark.parametrize("items",
                         ["[python train.py]", "[nvidia-smi]", "[pip install a, python train.py]", "python", '"python\\n--lr 3"', "[]",
                          "[set -e, a -b]"])
def test_lines(items: str) -> None:
    assert check_het("HET031", TEXT.format("command", items)) == []


def test_once_for_each_list_that_is_written() -> None:
    text = TEXT.format("command", "[a, b]") + "tasks:\n  w: {command: [c, d]}\n"
    assert [each[:2] for each in check_het("HET031", text)] == [(4, 10), (6, 16)]
