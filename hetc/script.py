"""The shell text that a container runs, and what the kubelet's `$(NAME)` expansion does to text on its way there.

Source of the expansion: k8s.io/kubernetes, third_party/forked/golang/expansion. It reads from left to right: `$$` becomes
`$`; `$(NAME)`, NAME being all up to the next `)`, becomes the variable's value or stays where there is none; any other `$`
stays. Kubelets without the fix of kubernetes#136325 break a character outside ASCII that follows a `$`, and some of them
then fail to start the container; behind a doubled `$` it is safe with all of them.
"""
from __future__ import annotations

from hetc.record import Record
from hetc.shell import exec_refusal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Sequence

#: The longest SCRIPT in bytes: Linux takes 128 KiB for one argument (MAX_ARG_STRLEN), its final NUL included.
MAX_SCRIPT = 128 * 1024 - 1


def protect(text: str) -> str:
    """The text that the kubelet's expansion turns back into `text`, whatever variables the container has."""
    first, *rest = text.split("$")
    last = len(rest) - 1
    return first + "".join(("$$" if _needs_two(part, number < last) else "$") + part for number, part in enumerate(rest))


def _needs_two(behind: str, dollar_follows: bool) -> bool:
    """Whether a `$` must be doubled that has `behind` between it and the next one, or the end of the text."""
    return behind[:1] == "(" or behind[:1] > "\x7f" or (not behind and dollar_follows)


class EnvValue(Record):
    """An env value to emit, the names that it refers to in order, each once, and those of them that are unknown."""

    text: str
    names: tuple[str, ...]
    unknown: tuple[str, ...]


def env_value(text: str, known: Container[str]) -> EnvValue:
    """What to emit for the env value `text`; `known` holds the names of the container's variables.

    `$(NAME)` stays a reference and `$$(NAME)` the literal text `$(NAME)`, both as in Kubernetes; any other `$$` is
    doubled and so stays `$$` in the container.
    """
    names: dict[str, None] = {}
    last = text.rfind(")")
    pieces = []
    at = 0
    while (dollar := text.find("$", at)) >= 0:
        pieces.append(text[at:dollar])
        behind = text[dollar + 1:dollar + 2]
        at = dollar + 1
        if behind == "$":
            at += 1
            pieces.append("$$" if at < last and text[at] == "(" else "$$$$")
        elif behind == "(" and at < last:
            end = text.index(")", at)
            names[text[at + 1:end]] = None
            pieces.append(text[dollar:end + 1])
            at = end + 1
        else:
            pieces.append("$$" if behind > "\x7f" else "$")
    pieces.append(text[at:])
    return EnvValue("".join(pieces), tuple(names), tuple(name for name in names if name not in known))


class Script(Record):
    """What goes behind `SHELL -c`.

    `text` is protected from the kubelet and has no newline at its end. `size` is in bytes of UTF-8, as the shell gets it:
    compare it with MAX_SCRIPT. `exec`: the last line is run by `exec`; if not, `why_not` is a reason for people, a clause
    without a full stop.
    """

    text: str
    size: int
    exec: bool
    why_not: str | None


def script(
    base: int, task_index: str, node_rank: str, set_node_rank: bool, setup: Sequence[str], command: Sequence[str],
) -> Script:
    """The script of a task whose first replica has the rank `base`.

    `task_index` and `node_rank` name variables: the one that holds the replica's index and the one that gets its rank.
    `set_node_rank`: set NODE_RANK too. The strings of `setup` and `command` are shell text of one line or more.
    """
    rank = ["set -e", f"export {node_rank}=$(({base} + {task_index}))"]
    if set_node_rank:
        rank.append(f'export NODE_RANK="${node_rank}"')
    user = [line for text in (*setup, *command) for line in _inner_lines(text)]
    why_not = exec_refusal("\n".join(rank + user))
    if why_not is None:
        user[-1] = f"exec {user[-1]}"
    size = len("\n".join(rank + user).encode("utf-8", "surrogatepass"))
    # The kubelet takes `$((BASE + INDEX)` of the rank line for a reference to a variable of that odd name, finds none
    # and leaves it; the `)` is in the same line, so that the reference does not reach into the lines of the user.
    return Script("\n".join([*rank, *map(protect, user)]), size, why_not is None, why_not)


def is_idle(pieces: Sequence[str]) -> bool:
    """Whether pieces of shell text hold no word: nothing but blanks, comments and line breaks."""
    lines = "\n".join(pieces).replace("\\\n", "").split("\n")
    return all(not line.strip() or line.lstrip().startswith("#") for line in lines)


def _inner_lines(text: str) -> list[str]:
    """The lines of `text` from the first to the last that is not blank."""
    lines = text.split("\n")
    filled = [number for number, line in enumerate(lines) if line.strip(" \t")]
    return lines[filled[0]:filled[-1] + 1] if filled else []
