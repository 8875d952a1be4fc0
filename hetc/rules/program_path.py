"""The first word of a command is a program: one path or name, and no line with arguments.

Kubernetes takes any list of texts. The container runtime then looks for a program of exactly that name, blanks and all, and the
container does not start. A shell that a request names is a path from the root on, since nobody knows the image's PATH.
Source: the OCI runtime specification, `process.args`; Kubernetes expands `$(NAME)` in commands.
"""
from __future__ import annotations

from hetc.diagnostic import ERROR, WARNING, Code, Finding
from hetc.manifest import containers, sequence, text
from hetc.names import shorten
from hetc.rule import ManifestRule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hetc.manifest import Manifest
    from hetc.site import Site


def check(manifest: Manifest, site: Site) -> Iterator[Finding]:
    for container in containers(manifest):
        for program in sequence(container.node.get("command"))[:1]:
            written = text(program)
            if written is None:
                continue
            wrong = _shell(written) if manifest.emitted else _program(written)
            if wrong is not None:
                yield Finding(wrong, program.origin.span, "write an absolute path, such as `/bin/bash`" if manifest.emitted else
                              "write each word as an item of its own", level=ERROR if manifest.emitted else WARNING)


def _shell(path: str) -> str | None:
    """What is wrong with the path of a shell, or None."""
    if not path.startswith("/") or path.endswith("/"):
        return f"shell `{shorten(path)}` is no absolute path of a program" if path else "the shell is empty"
    if any(character.isspace() or not character.isprintable() for character in path):
        return f"shell `{shorten(path)}` is more than one word"
    if "$(" in path or "$$" in path:
        return f"shell `{shorten(path)}` has a `$` that Kubernetes reads"
    return None


def _program(written: str) -> str | None:
    """What is odd about the first word of a command, or None."""
    if not written.strip():
        return "the command begins with an empty word, and no program is called that"
    name = written.strip()
    if written != name or ("/" not in name.split()[0] and len(name.split()) > 1):
        return f"the command begins with `{shorten(written)}`, blanks and all, and no program is called that"
    return None


RULE = ManifestRule(Code("HET580", "program-path", ERROR, "a command or shell that is no program"), check)
