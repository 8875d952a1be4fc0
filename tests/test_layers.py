"""The picture of the architecture, held against the imports: they only point down, and heavy libraries have one door each."""
from __future__ import annotations

import ast
import os
import re

import pytest

from tests.conftest import ROOT

with open(os.path.join(ROOT, "CONTRIBUTING.md"), encoding="utf-8") as file:
    _TABLE = file.read().partition("| row, from the bottom |")[2].partition("\n\n")[0]

#: The table of CONTRIBUTING.md, rows from the bottom up. Modules of one row do not import each other.
ROWS = [re.findall(r"`(\w+)`", line.split("|")[1]) for line in _TABLE.splitlines()[2:]]
ROW = {name: number for number, names in enumerate(ROWS) for name in names}

#: Which part of hetc may import which library.
DOORS = {
    "ruamel": {"read.whole_yaml"}, "jsonschema": {"verify"}, "kubernetes_validate": {"verify"}, "typer": {"cli"}, "tomllib": {"site"},
    "importlib.metadata": {"extensions"}, "pygls": {"lsp.server"}, "lsprotocol": {"lsp.server"},
}
FORBIDDEN = {"lark", "yaml", "dataclasses", "enum", "pathlib", "logging", "importlib.metadata", "importlib.resources", "click", "rich"}

#: Words of one back end, which what is independent of it does not say.
VOLCANO = ("volcano", "minavailable", "partitionpolicy", "networktopology", "schedulername", "podgroup", "plugin")
NEUTRAL = ("ir", "merge", "lower")


def modules() -> list[tuple[str, str]]:
    found = []
    for folder, _, files in os.walk(os.path.join(ROOT, "hetc")):
        for file in sorted(files):
            if file.endswith(".py"):
                path = os.path.join(folder, file)
                name = os.path.relpath(path, os.path.join(ROOT, "hetc")).removesuffix(".py").replace(os.sep, ".")
                found.append((name.removesuffix(".__init__"), path))
    return sorted(found)


MODULES = modules()


def imports(path: str) -> set[str]:
    """The modules that run-time code imports; what stands under `if TYPE_CHECKING` does not count."""
    with open(path, encoding="utf-8") as file:
        tree = ast.parse(file.read())
    found: set[str] = set()
    todo: list[ast.AST] = [tree]
    while todo:
        node = todo.pop()
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            todo.extend(node.orelse)
            continue
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            found.add(node.module or "")
            if node.module and node.module.split(".")[0] == "hetc":
                found.update(f"{node.module}.{alias.name}" for alias in node.names)
        todo.extend(ast.iter_child_nodes(node))
    return found


def part(name: str) -> str:
    return name.split(".")[0]


@pytest.mark.parametrize(("name", "path"), MODULES, ids=[name for name, _ in MODULES])
def test_imports_point_down(name: str, path: str) -> None:
    if name == "__init__":
        return
    here = part(name)
    assert here in ROW, f"hetc/{name} has no row in the picture"
    for module in imports(path):
        if not module.startswith("hetc."):
            continue
        there = part(module.removeprefix("hetc."))
        if there == here or there not in ROW:  # the same package, or a name such as `hetc.__version__`
            continue
        assert ROW[there] < ROW[here], f"hetc/{name} imports hetc/{there}, which does not stand below it"


@pytest.mark.parametrize(("name", "path"), MODULES, ids=[name for name, _ in MODULES])
def test_libraries_have_one_door(name: str, path: str) -> None:
    for module in imports(path):
        top = part(module)
        assert module not in FORBIDDEN - set(DOORS), f"hetc/{name} imports {module}"
        assert name in DOORS.get(module, {name}), f"hetc/{name} imports {module}, whose door is {DOORS[module]}"
        assert top not in FORBIDDEN, f"hetc/{name} imports {top}"
        if top in DOORS:
            assert name in DOORS[top], f"hetc/{name} imports {top}, whose door is {DOORS[top]}"


@pytest.mark.parametrize("name", NEUTRAL)
def test_the_middle_knows_no_back_end(name: str) -> None:
    with open(os.path.join(ROOT, "hetc", f"{name}.py"), encoding="utf-8") as file:
        text = file.read().lower()
    assert not [word for word in VOLCANO if word in text]


def test_every_row_is_there() -> None:
    assert set(ROW) <= {part(name) for name, _ in MODULES}
