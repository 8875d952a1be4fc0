"""The colours of `.het` files, as VS Code's own tokenizer gives them, held against the grammar of the language."""
from __future__ import annotations

import json
import re
import subprocess

import pytest

from hetc.lsp import words
from hetc.read import het, het_tables
from hetc.read.lalr import lex
from hetc.source import Source
from tests.conftest import ROOT
from tests.judges import MODULES, needs_npm

pytestmark = needs_npm("vscode-textmate", "vscode-oniguruma", "tm-grammars")

GRAMMAR = ROOT / "editors" / "vscode" / "syntaxes" / "het.tmLanguage.json"
EXAMPLES = sorted((ROOT / "examples").glob("*.het"))

KEY, RULE, SECTION = "support.type.property-name.het", "support.type.property-name.rule.het", "keyword.control.section.het"
GROUP, COUNT, CONSTANT = "entity.name.type.group.het", "constant.numeric.count.het", "support.constant"


@pytest.fixture
def colours(tmp_path):
    def colours(text):
        """The text of each token with its scopes, by its offset."""
        file = tmp_path / "colours.het"
        file.write_text(text, encoding="utf-8", newline="")
        program = str(ROOT / "tests" / "editors" / "tokens.mjs")
        done = subprocess.run(["node", program, str(MODULES), str(GRAMMAR), str(file)], capture_output=True, text=True, check=True, timeout=60)
        found, offset = {}, 0
        for line in json.loads(done.stdout):
            for token, scopes in line:
                found[offset] = (token, scopes[1:])
                offset += len(token)
            offset += 1
        return found

    return colours


def scopes(found, word):
    return [each for text, each in found.values() if text == word]


def test_every_word_of_the_language_is_coloured(colours):
    group = ", ".join("rdma" if key == "rdma" else "select[a=b]" if key == "select" else f"{key}=1" for key in words.GROUP)
    gang = ", ".join(f"{rule}=1" for rule in words.GANG)
    found = colours(f"1*m<{group}> gang[{gang}] use[\"x\"]\n")
    inside = dict(found.values())
    for key in words.GROUP:
        assert SECTION in inside[key] if key == "select" else any(KEY in each for each in scopes(found, key)), key
    for rule in words.GANG:
        assert any(RULE in each for each in scopes(found, rule)), rule
    for section in words.SECTIONS:
        assert SECTION in inside[section], section


def test_every_choice_is_coloured(colours):
    lines = [f"gang[{rule}={word}]" for rule, choices in words.CHOICES.items() for word in choices]
    lines += [text for mode in words.MODES for text in (f"gang[pack=rack:{mode}]", f"1*m<pack=rack:{mode}>")]
    text = "\n".join(lines)
    found = colours(text)
    at = -1
    for line in lines:
        at += len(line)  # the last character is the bracket behind the word
        token, last = max((offset, each) for offset, each in found.items() if offset < at)[1]
        assert line[:-1].endswith(token)
        assert any(each.startswith(CONSTANT) for each in last), line
        at += 1


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_every_token_of_an_example_is_coloured(colours, path):
    """Each token of hetc's own reader begins a token of the editor's, with a scope of its kind."""
    text = path.read_text(encoding="utf-8")
    found = colours(text)
    end, start = het.split(Source("x.het", text))
    kinds = {"STAR": "keyword.operator", "PLUS": "keyword.operator", "EQUALS": "keyword.operator", "STRING": "string.quoted",
             "COMMA": "punctuation", "COLON": "punctuation", "LESSTHAN": "punctuation", "MORETHAN": "punctuation",
             "LSQB": "punctuation", "RSQB": "punctuation",
             "WORD": ("constant", "entity", "support", "keyword", "string.unquoted")}
    assert set(kinds) == {name for name in _terminals() if name not in het_tables.IGNORED}
    tokens, _ = lex(text, end)
    for kind, at, after in tokens:
        assert at in found, (kind, text[at:after])
        assert any(scope.startswith(kinds[kind]) for scope in found[at][1]), (text[at:after], found[at])
    behind = [each for at, (token, each) in found.items() if at >= start and token.strip()]
    assert behind
    assert all("meta.embedded.block.yaml" in each or "meta.embedded.block.shellscript" in each for each in behind)


def _terminals():
    return re.compile(het_tables.PATTERN).groupindex


def test_names_counts_comments_and_what_lies_behind_the_dashes(colours):
    found = colours('# c\n2*a100-worker<mem=64Gi>\n--- # c\nimage: x # y\ncommand: |\n  python "$A"\n  export B\n\n  exec c\nsetup: [z]\n')
    assert GROUP in scopes(found, "a100-worker")[0]
    assert COUNT in scopes(found, "2")[0]
    assert "keyword.other.unit.het" in scopes(found, "Gi")[0]
    assert "comment.line.number-sign.het" in scopes(found, "# c")[0]
    assert "entity.other.document.begin.het" in scopes(found, "---")[0]
    assert any(each.startswith("entity.name.tag.yaml") for each in scopes(found, "command")[0])
    assert "meta.embedded.block.shellscript" in scopes(found, "python")[0]
    for word in ("export", "exec"):
        assert any(each.endswith(".shell") for each in scopes(found, word)[0])
    assert any("meta.embedded.block.shellscript" not in each for each in scopes(found, "z"))


@pytest.mark.parametrize("text", ["1*m<cpu=1\n---\nimage: x\n", 'use["a\n---\nimage: x\n', "1*m<select[a=b\n---\nimage: x\n"])
def test_what_is_not_closed_ends_at_the_dashes(colours, text):
    found = colours(text)
    assert "entity.other.document.begin.het" in scopes(found, "---")[0]
    assert "meta.embedded.block.yaml" in scopes(found, "x")[0]
