"""What mkdocs does beside its own work: pages of the rules, colours for `.het`, a refusal of what would be fetched from elsewhere."""
from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from pygments.lexers import LEXERS
from pygments.lexers.shell import BashSessionLexer

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from scripts.docs import rule_pages

LEXERS["HetLexer"] = ("scripts.het_lexer", "het", ("het",), ("*.het",), ())
#: Of a `console` block only what follows `$ ` is a command: a line of output may begin with `#`.
BashSessionLexer._ps1rgx = re.compile(r"^(\$ )(.*\n?)")

#: Something that a browser loads by itself; a link that somebody follows is not.
LOADED = re.compile(r"""<(?:script|img|iframe|source)\b[^>]*\bsrc=["']?(?:https?:)?//|<link\b[^>]*\bhref=["']?(?:https?:)?//""")


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """Add the pages of the rules."""
    for name, text in rule_pages().items():
        files.append(File.generated(config, f"rules/{name}", content=text))
    return files


def on_post_page(output: str, *, page: Any, config: MkDocsConfig) -> str:
    """Refuse a page that loads something from another place: the site has to work without a network."""
    found = LOADED.search(output)
    if found:
        raise PluginError(f"{page.file.src_uri} loads something from elsewhere: {output[found.start():found.start() + 120]}")
    return output
