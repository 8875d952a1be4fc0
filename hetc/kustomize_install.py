"""Putting the plugin where kustomize looks for it, and the component where a kustomization can name it.

Source: kustomize 5.8.1, which takes the first of its plugin folders that is there, whatever is in it.
"""
from __future__ import annotations

import os
import shutil
import sys

from hetc.data import path as data_path
from hetc.files import replace
from hetc.record import Record
from hetc.source import UsageError, reason

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

HOME = "KUSTOMIZE_PLUGIN_HOME"
#: Below a plugin folder: the group, the version, and the kind of the config in lower case and as it is.
PLACE = ("hetc.dev", "v1alpha1", "hetcjob", "HetcJob")


class Step(Record):
    """A file to make at `path`: a link to `link`, or one that holds `text`. `is_done`: it is there already."""

    path: str
    link: str | None
    text: str
    is_done: bool

    def sentence(self, done: bool) -> str:
        """What is, has been or would be done."""
        if self.is_done:
            return f"{self.path} is there already"
        if self.link is not None:
            return f"{'linked' if done else 'would link'} {self.path} to {self.link}"
        return f"{'wrote' if done else 'would write'} {self.path}"


def homes(environment: Mapping[str, str]) -> list[str]:
    """The folders of plugins, in the order in which kustomize looks."""
    own, config = environment.get(HOME), environment.get("XDG_CONFIG_HOME")
    user = os.path.expanduser("~")
    parents = [*([config] if config else []), os.path.join(user, ".config"), user]
    return [*([own] if own else []), *(os.path.join(parent, "kustomize", "plugin") for parent in parents)]


def home() -> str:
    """The folder that kustomize takes: the first one there; where none is, the one to make. Raises UsageError."""
    candidates = homes(os.environ)
    found = next((each for each in candidates if os.path.isdir(each)), candidates[0])
    if not os.path.isabs(found):
        raise UsageError(f"`{found}` is where kustomize looks, and it runs plugins by an absolute path only; set {HOME} to one")
    return found


def install(folder: str | None) -> tuple[list[Step], str]:
    """The link in a folder of plugins, by default the one that kustomize takes; and a line about one that it does not take.

    Raises UsageError where something else is in the link's place, or there is nothing to link to.
    """
    taken = home()
    chosen = taken if folder is None else os.path.abspath(folder)
    path, program = os.path.join(chosen, *PLACE), _program()
    if os.path.lexists(path) and not os.path.islink(path):
        raise UsageError(f"`{path}` is there and is no link; move it away first")
    hint = "" if chosen == taken else f"kustomize looks in {taken}; to make it look there: export {HOME}={chosen}\n"
    return [Step(path, program, "", os.path.islink(path) and os.readlink(path) == program)], hint


def _program() -> str:
    """The path of `hetc-kustomize` beside the hetc that runs, else on PATH. Raises UsageError."""
    folders = [os.path.dirname(os.path.abspath(sys.argv[0])), os.path.dirname(sys.executable), os.environ.get("PATH", "")]
    found = shutil.which("hetc-kustomize", path=os.pathsep.join(folders))
    if found is None:
        raise UsageError("there is no `hetc-kustomize` beside hetc or on PATH; `pip install` puts it there")
    return os.path.abspath(found)


def component(folder: str) -> list[Step]:
    """The component's files in a folder. Raises UsageError where one of them cannot be read."""
    source = data_path("kustomize/component")
    return [_copy(os.path.join(source, name), os.path.join(folder, name)) for name in sorted(os.listdir(source))]


def _copy(source: str, path: str) -> Step:
    with open(source, encoding="utf-8") as file:
        text = file.read()
    try:
        with open(path, encoding="utf-8") as file:
            same = file.read() == text
    except FileNotFoundError:
        same = False
    except (OSError, ValueError) as error:
        raise UsageError(f"cannot read `{path}`: {reason(error)}") from None
    return Step(path, None, text, same)


def do(step: Step) -> None:
    """Make the file, in the place of one that is there. Raises UsageError."""
    if step.is_done:
        return
    try:
        os.makedirs(os.path.dirname(step.path) or ".", exist_ok=True)
        if step.link is None:
            replace(step.path, step.text)
        else:
            temporary = f"{step.path}.{os.getpid()}.tmp"
            os.symlink(step.link, temporary)
            os.replace(temporary, step.path)
    except OSError as error:
        raise UsageError(f"cannot write `{step.path}`: {reason(error)}") from None
