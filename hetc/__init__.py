"""A static compiler and policy linter for heterogeneous Volcano gang jobs.

For programs: `compile`, `lint` and what they give and take. They are loaded when they are first asked for, so that the command
line starts without them.
"""

__version__ = "0.1.0"

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hetc.library import Checked, Diagnostic, Outcome, Place, compile, lint
    from hetc.source import Source, UsageError

__all__ = ["Checked", "Diagnostic", "Outcome", "Place", "Source", "UsageError", "compile", "lint"]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module 'hetc' has no attribute {name!r}")
    from importlib import import_module

    module = import_module("hetc.source" if name in ("Source", "UsageError") else "hetc.library")
    return globals().setdefault(name, getattr(module, name))


def __dir__() -> list[str]:
    return [*globals(), *__all__]
