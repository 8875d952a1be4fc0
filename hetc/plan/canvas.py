"""A small SVG: shapes and lines of text on a page of fixed width, whose colours follow the reader's light or dark setting.

Lengths are CSS pixels, from the upper left corner. Nothing in the file names another one: no font, script or link.
"""
from __future__ import annotations

from hetc.plan.facts import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

#: The width of a character of a monospaced font, in units of its size. Those in use have 0.55 to 0.602.
CELL = 0.62

#: Characters of hetc's own words that every monospaced font has.
OWN = frozenset("…–×")

#: A class -> its style in light and in dark. Text and its ground differ by 4.5:1 at least, shapes and theirs by 3:1.
STYLES: dict[str, tuple[str, str]] = {
    "text": ("fill:#1f2328", "fill:#f0f6fc"),
    "quiet": ("fill:#59636e", "fill:#a3abb5"),
    "page": ("fill:#ffffff;stroke:#d1d9e0", "fill:#0d1117;stroke:#3d444d"),
    "gang": ("fill:none;stroke:#6e7781", "fill:none;stroke:#9198a1"),
    "card": ("fill:#f6f8fa;stroke:#d1d9e0", "fill:#151b23;stroke:#3d444d"),
    "node": ("fill:#ffffff;stroke:#6e7781", "fill:#0d1117;stroke:#9198a1"),
    "domain": ("fill:none;stroke:#0969da", "fill:none;stroke:#58a6ff"),
    "tier": ("fill:#0550ae", "fill:#79c0ff"),
    "gpu0": ("fill:#1a7f37", "fill:#3fb950"),
    "gpu1": ("fill:#8250df", "fill:#bc8cff"),
    "gpu2": ("fill:#bc4c00", "fill:#f0883e"),
    "gpu3": ("fill:#0e7490", "fill:#39c5cf"),
    "gpu4": ("fill:#bf3989", "fill:#f778ba"),
    "gpu5": ("fill:#6e7781", "fill:#9198a1"),
}

_TITLE, _DESC = "hetc-plan-title", "hetc-plan-desc"
_FONT = "ui-monospace,SFMono-Regular,Menlo,Consolas,Liberation Mono,DejaVu Sans Mono,monospace"


class Canvas:
    """What has been drawn so far. `y` is where the next thing goes; whoever draws moves it on."""

    def __init__(self, width: int) -> None:
        self.width = width
        self.y = 0
        self.shapes: list[str] = []

    def text(
        self, x: int, y: int, text: str, width: int, kind: str = "text", size: int = 12, bold: bool = False, end: bool = False,
    ) -> int:
        """One line, its base at `y`, cut to `width`; with `end` it ends at `x`. Returns the width that it takes at most."""
        shown = fitted(text, width, size)
        taken = measure(shown, size)
        more = (' font-weight="600"' if bold else "") + (' text-anchor="end"' if end else "")
        if not shown.isascii() and set(shown) - OWN - set(map(chr, range(128))):
            more += f' textLength="{taken}" lengthAdjust="spacingAndGlyphs"'  # whatever the font makes of these
        self.shapes.append(f'<text class="{kind}" x="{x}" y="{y}" font-size="{size}"{more}>{escaped(shown)}</text>')
        return taken

    def box(self, x: int, y: int, width: int, height: int, kind: str, dashed: bool = False, round: int = 6) -> None:
        """A rectangle; a line of its own colour around it where the class has one."""
        dashes = ' stroke-dasharray="5 4"' if dashed else ""
        self.shapes.append(f'<rect class="{kind}" x="{x}" y="{y}" width="{width}" height="{height}" rx="{round}"{dashes}/>')

    def squares(self, corners: list[tuple[int, int]], side: int, kind: str) -> None:
        """Squares in one path, by their upper left corners."""
        path = "".join(f"M{x} {y}h{side}v{side}h-{side}z" for x, y in corners)
        self.shapes.append(f'<path class="{kind}" d="{path}"/>')

    def document(self, title: str, description: str) -> str:
        """The whole file, as high as `y`, with a title and a description for readers that do not see it."""
        size = f'width="{self.width}" height="{self.y}" viewBox="0 0 {self.width} {self.y}"'
        frame = f'<rect class="page" x="0.5" y="0.5" width="{self.width - 1}" height="{self.y - 1}" rx="8"/>'
        return "\n".join([
            f'<svg xmlns="http://www.w3.org/2000/svg" class="hetc-plan" {size} role="img" aria-labelledby="{_TITLE} {_DESC}">',
            f'<title id="{_TITLE}">{escaped(printable(title))}</title>',
            f'<desc id="{_DESC}">{escaped(printable(description))}</desc>',
            "<style>",
            f".hetc-plan{{font-family:{_FONT}}}",
            *_rules(0),
            "@media (prefers-color-scheme: dark){",
            *_rules(1),
            "}",
            "</style>",
            frame,
            *self.shapes,
            "</svg>\n",
        ])


def _rules(dark: int) -> Iterator[str]:
    for name, styles in STYLES.items():
        yield f".hetc-plan .{name}{{{styles[dark]}}}"


def measure(text: str, size: int) -> int:
    """The most that a line can take, in pixels: two cells for a character that may be a wide one."""
    cells = sum(1 if character.isascii() or character in OWN else 2 for character in text)
    return int(cells * size * CELL) + 1


def fitted(text: str, width: int, size: int) -> str:
    """A printable line, cut off with `…` where it would take more than `width`."""
    text = printable(text)
    if measure(text, size) <= width:
        return text
    while text and measure(text + "…", size) > width:
        text = text[:-max(1, (measure(text, size) - width) // (2 * size))]
    return text + "…"


def wrapped(text: str, width: int, size: int, most: int) -> list[str]:
    """A text as lines that fit, broken at blanks; the last of `most` lines may be cut off."""
    lines = [""]
    for word in printable(text).split(" "):
        longer = f"{lines[-1]} {word}".lstrip()
        if measure(longer, size) > width and lines[-1] and len(lines) < most:
            lines.append(word)
        else:
            lines[-1] = longer
    return [fitted(line, width, size) for line in lines]


def escaped(text: str) -> str:
    """Text as XML."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
