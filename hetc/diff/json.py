"""A difference for programs, as `schemas/diff.schema.json` says."""
from __future__ import annotations

import json

from hetc.explain import title, where
from hetc.explain.path import shown
from hetc.tree import plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hetc.diff import Difference, Found, Pair
    from hetc.explain import Layers
    from hetc.tree import Node


def render(found: Difference) -> str:
    """One JSON document, also where nothing differs."""
    old, new = found.names
    data = {"version": 1, "old": old, "new": new, "documents": [_pair(pair, found) for pair in found.pairs]}
    return json.dumps(data, ensure_ascii=True, indent=2) + "\n"


def _pair(pair: Pair, found: Difference) -> dict[str, Any]:
    inside = "both" if pair.old is not None and pair.new is not None else "new" if pair.old is None else "old"
    return {"document": title(pair.document), "in": inside, "changes": [_change(each, *found.layers) for each in pair.found]}


def _change(found: Found, old: Layers, new: Layers) -> dict[str, Any]:
    change = found.change
    return {"path": shown(change.path), "what": _what(found), "effect": found.effect,
            "old": _side(change.old, old), "new": _side(change.new, new)}


def _what(found: Found) -> str:
    change = found.change
    return "moved" if change.moved else "added" if change.old is None else "removed" if change.new is None else "changed"


def _side(node: Node | None, layers: Layers) -> dict[str, Any] | None:
    if node is None:
        return None
    return {"value": plain(node), "how": node.origin.how, "layer": layers.of(node.origin.span), **where(node.origin.span)}
