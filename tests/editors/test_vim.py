"""The files for Vim, asked of a real Vim without a screen."""
from __future__ import annotations

import json
import subprocess
import sys

import pytest

from hetc.lsp.words import CHOICES, GANG, GROUP, MODES
from hetc.read import het
from hetc.read.lalr import lex
from hetc.source import Source
from tests.conftest import ROOT
from tests.judges import needs_vim

pytestmark = needs_vim

FOLDER = ROOT / "editors" / "vim"
EXAMPLES = sorted((ROOT / "examples").glob("*.het"))

HEAD = f"""\
set nocompatible runtimepath^={FOLDER} encoding=utf-8 nomore
filetype plugin indent on
syntax on
"""
#: The name of the group at each place of the file that the script is told of.
SYNTAX = """\
let places = json_decode(readfile('places.json')[0])
let names = map(places, {_, place -> synIDattr(synID(place[0], place[1], 1), 'name')})
call writefile([json_encode(#{filetype: &filetype, names: names})], 'out.json')
"""


@pytest.fixture
def vim(tmp_path):
    def vim(name, text, script):
        """What a script that Vim runs with a file open has written to `out.json`."""
        (tmp_path / name).write_text(text, encoding="utf-8")
        (tmp_path / "script.vim").write_text(HEAD + f"edit {name}\n{script}\nqall!\n", encoding="utf-8")
        done = subprocess.run(["vim", "-u", "NONE", "-i", "NONE", "-n", "-es", "-S", "script.vim"], cwd=tmp_path, timeout=60,
                              capture_output=True, stdin=subprocess.DEVNULL, check=False)
        assert (tmp_path / "out.json").exists(), done.stdout.decode() + done.stderr.decode()
        return json.loads((tmp_path / "out.json").read_text())

    return vim


@pytest.fixture
def groups(vim, tmp_path):
    def groups(text, offsets):
        """The syntax groups at offsets."""
        source = Source("x.het", text)
        places = [source.position(offset) for offset in offsets]
        places = [[line, len(source.line(line)[:column - 1].encode()) + 1] for line, column in places]
        (tmp_path / "places.json").write_text(json.dumps(places))
        found = vim("x.het", text, SYNTAX)
        assert found["filetype"] == "het"
        return found["names"]

    return groups


KINDS = {"STAR": {"hetStar"}, "PLUS": {"hetPlus"}, "EQUALS": {"hetOperator"}, "STRING": {"hetString"}, "COMMA": {"hetComma"},
         "COLON": {"hetColon"}, "LESSTHAN": {"hetBracket"}, "MORETHAN": {"hetBracket"}, "LSQB": {"hetKeyword"}, "RSQB": {"hetKeyword"},
         "WORD": {"hetCount", "hetName", "hetKey", "hetRule", "hetLabel", "hetNumber", "hetChoice", "hetWord", "hetKeyword"}}


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_every_token_of_an_example_is_coloured(groups, path):
    text = path.read_text(encoding="utf-8")
    end, start = het.split(Source("x.het", text))
    tokens = lex(text, end)[0]
    behind = [at for at in range(start, len(text)) if text[at].isalpha() and not text[at - 1].isalnum()]
    names = groups(text, [*(at for _, at, _ in tokens), *behind])
    for (kind, at, after), name in zip(tokens, names):
        assert name in KINDS[kind], (text[at:after], name)
    assert any(name.startswith("yaml") for name in names[len(tokens):])
    assert not [name for name in names[len(tokens):] if name in set().union(*KINDS.values())]


def test_every_word_of_the_language_is_coloured(groups):
    keys = ["rdma" if key == "rdma" else "select[a=b]" if key == "select" else f"{key}=1" for key in GROUP]
    choices = [f"{rule}={word}" for rule, words in CHOICES.items() for word in words] + [f"pack=x:{mode}" for mode in MODES]
    words = [*((key, "hetKeyword" if key.startswith("select") else "hetKey") for key in keys),
             *((f"{rule}=1", "hetRule") for rule in GANG)]
    text, expected = "", {}
    for word, group in words:
        line = f"gang[{word}]\n" if group == "hetRule" else f"1*m<{word}>\n"
        expected[len(text) + line.index(word)] = (word, group)
        text += line
    for choice in choices:
        expected[len(text) + len(f"gang[{choice}") - 1] = (choice, "hetChoice")
        text += f"gang[{choice}]\n"
    expected[len(text)] = ("use", "hetKeyword")
    text += 'use["x"] # c\n'
    expected[len(text) - 2] = ("c", "hetComment")
    names = groups(text, expected)
    assert names == [group for _, group in expected.values()]


def test_yaml_and_shell_behind_the_dashes(groups):
    text = "1*m<cpu=1\n--- # c\nimage: x\ncommand: |\n  export A=1\n\n  python \"$A\"\nqueue: q\n"
    words = ["---", "image", "command", "export", '"$A', "queue"]
    names = groups(text, [text.index(word) for word in words])
    assert names[0] == "hetDashes"
    assert names[1] == names[5] == "yamlBlockMappingKey"
    assert names[2] == "hetBlockKey"
    assert names[3].startswith("sh")
    assert names[4].startswith("sh")


def test_indents(vim):
    text = "1*m<cpu=1,\nmem=1Gi\n>\n+ 2*w<cpu=1>\n---\ntasks:\nm:\nimage: x\n"
    assert vim("a.het", text, "normal! gg=G\ncall writefile([json_encode(getline(1, '$'))], 'out.json')") == [
        "1*m<cpu=1,", "  mem=1Gi", ">", "+ 2*w<cpu=1>", "---", "tasks:", "  m:", "    image: x"]


def test_make_fills_the_list_of_errors(vim, tmp_path):
    program = tmp_path / "hetc"
    program.write_text(f'#!/bin/sh\nPYTHONPATH={ROOT} exec {sys.executable} -m hetc "$@"\n')
    program.chmod(0o755)
    found = vim("a.het", "1*master<cpu=1, mem=8>\n---\nimage: r/i:1\nqueue: q\n",
                f"let $PATH = '{tmp_path}:' . $PATH\nsilent make!\n"
                "call writefile([json_encode(map(getqflist(), {_, each -> [bufname(each.bufnr), each.lnum, each.col, each.type, each.nr]}))], 'out.json')")
    assert found == [["a.het", 1, 21, "e", 201]]


def test_comments(vim):
    assert vim("a.het", "x\n", "call writefile([json_encode([&commentstring, &shiftwidth, &expandtab])], 'out.json')") == ["# %s", 2, 1]
