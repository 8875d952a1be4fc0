"""Where the files beside the code are: the grammar and the schemas."""
from __future__ import annotations

import os


def path(name: str) -> str:
    """The path of a data file, such as `schemas/overlay.schema.json`.

    An installed package carries the files in `_data`; a checkout has them beside the package.
    """
    package = os.path.dirname(os.path.abspath(__file__))
    inside = os.path.join(package, "_data")
    root = inside if os.path.isdir(inside) else os.path.dirname(package)
    return os.path.join(root, *name.split("/"))
