"""Colours for `.het` files in the documentation: Pygments finds this lexer as `het` once scripts/site_hooks.py has named it."""
from __future__ import annotations

from pygments.lexer import RegexLexer, bygroups, using
from pygments.lexers.data import YamlLexer
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String, Text

__all__ = ["HetLexer"]


class HetLexer(RegexLexer):
    """The request, then YAML behind the first line of dashes."""

    name = "het"
    aliases = ("het",)
    filenames = ("*.het",)
    tokens = {  # noqa: RUF012
        "root": [
            (r"(?s)(^---[ \t]*(?:#[^\n]*)?\n)(.*)", bygroups(Punctuation, using(YamlLexer))),
            (r"(?<!\S)#[^\n]*", Comment.Single),
            (r"\s+", Text),
            (r'"[^"\n]*"', String.Double),
            (r"(\d+)(\*)([a-z][-a-z0-9]*)?", bygroups(Number.Integer, Operator, Name.Function)),
            (r"\b(use|gang|select)(\[)", bygroups(Keyword, Punctuation)),
            (r"([\w./-]+)(=)", bygroups(Name.Attribute, Operator)),
            (r"\d[\w.]*", Number),
            (r"[<>\[\],:+]", Punctuation),
            (r"[^\s<>\[\],:+=*\"]+", Text),
            (r".", Text),
        ],
    }
