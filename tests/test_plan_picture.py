"""`hetc plan --format svg`: well-formed, bounded, readable by eye and by ear, whatever the job is called."""
from __future__ import annotations

import functools
import json
import re
import subprocess
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode

from hetc import ir, plan
from hetc.diagnostic import Report
from hetc.emit import volcano_plan
from hetc.origin import Located
from hetc.pipeline import Compiler, Options
from hetc.plan.canvas import STYLES, fitted, measure, wrapped
from hetc.record import replace
from tests.conftest import ROOT
from tests.judges import BROWSER, needs_browser
from tests.test_plan import CASES, HEAD, job

#: Cases of `hetc plan` that have a picture beside the tests.
DRAWN = ("design", "packed", "families", "cpu", "uniform")

SVG = "{http://www.w3.org/2000/svg}"


class Pictures(SingleFileSnapshotExtension):
    """One file for each picture, to be looked at."""

    file_extension = "svg"
    _write_mode = WriteMode.TEXT


@pytest.fixture
def pictures(snapshot: SnapshotAssertion) -> SnapshotAssertion:
    return snapshot.use_extension(Pictures)


def drawn(*case, **options):
    return plan.render(*job(*case, **options), "svg", False)


def wide(groups: int, replicas: int = 3, gpus: int = 8) -> str:
    rest = "".join(f" + {replicas}*w{number:04}<cpu=1, mem=1Gi, gpu={gpus}:H100>" for number in range(groups - 1))
    return f"1*master<cpu=1, mem=1Gi>{rest}\n{HEAD}plugins: {{svc: {{inject_hosts_env: false}}}}\n"


def texts(svg: str) -> list[tuple[str, float, float, float, float]]:
    """Each line of text and the box that it takes, measured here: left, top, right, bottom."""
    found = []
    for element in ElementTree.fromstring(svg).iter(f"{SVG}text"):
        text, size = element.text or "", float(element.get("font-size", ""))
        cells = sum(1 if character.isascii() or character in "–…×" else 2 for character in text)
        width = float(element.get("textLength", cells * size * 0.61))
        assert cells == len(text) or "textLength" in element.attrib, "no font says how wide this is"
        left = float(element.get("x", "")) - (width if element.get("text-anchor") == "end" else 0)
        base = float(element.get("y", ""))
        found.append((text, left, base - 0.95 * size, left + width, base + 0.25 * size))
    return found


def check(svg: str) -> None:
    """Well-formed, by itself, no text outside or over another."""
    root = ElementTree.fromstring(svg)
    width, height = (float(each) for each in root.get("viewBox", "").split()[2:])
    boxes = texts(svg)
    for text, left, top, right, bottom in boxes:
        assert 0 <= left <= right <= width and 0 <= top <= bottom <= height, text
    for number, (text, left, top, right, bottom) in enumerate(boxes):
        for other, left_2, top_2, right_2, bottom_2 in boxes[:number]:
            assert right <= left_2 or right_2 <= left or bottom <= top_2 or bottom_2 <= top, f"{text!r} over {other!r}"
    for element in root.iter():
        assert element.tag.removeprefix(SVG) in {"svg", "title", "desc", "style", "text", "rect", "path"}
        assert not [name for name in element.attrib if "href" in name or name.startswith("on")]
    assert "url(" not in svg and "@import" not in svg


@pytest.mark.parametrize("name", DRAWN)
def test_picture(name, pictures) -> None:
    svg = drawn(*CASES[name])
    check(svg)
    assert svg == pictures


def documented(name: str) -> str:
    """The file that a picture of docs/images is of: an example, or a block of docs/plan.md."""
    example = ROOT / "examples" / f"{name}.het"
    if example.exists():
        return example.read_text(encoding="utf-8")
    page = (ROOT / "docs" / "plan.md").read_text(encoding="utf-8")
    return re.findall(rf'```het title="{name}.het"\n(.*?)```', page, re.DOTALL)[0]


@pytest.mark.parametrize("path", sorted((ROOT / "docs" / "images").glob("*.svg")), ids=lambda path: path.stem)
def test_the_pictures_of_the_documents_are_in_step(path, request) -> None:
    """`--snapshot-update` writes them anew."""
    svg = drawn(documented(path.stem), None, f"{path.stem}.het")
    if request.config.getoption("update_snapshots"):
        path.write_text(svg, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == svg


@pytest.mark.parametrize(("groups", "replicas", "gpus"), [(1, 1, 0), (12, 16, 16), (13, 17, 17), pytest.param(1000, 3, 8, marks=pytest.mark.slow), (100, 3, 8), (3, 10000, 1), (3, 999_999_999, 99999)])
def test_the_size_is_bounded(groups, replicas, gpus) -> None:
    svg = drawn(wide(groups, replicas, gpus), None, "big.het")
    check(svg)
    assert len(svg) < 250_000
    assert float(ElementTree.fromstring(svg).get("height", "")) < 5000


def test_what_is_left_out_is_counted() -> None:
    shown = [text for text, *_ in texts(drawn(wide(100, 10000), None, "big.het"))]
    assert "… 88 more groups: 880000 pods, 7040000 GPUs" in shown
    assert "… 9993" in shown
    assert "w0098" in shown and "w0097" not in shown


def squares(svg: str) -> int:
    return sum(element.get("d", "").count("M") for element in ElementTree.fromstring(svg).iter(f"{SVG}path"))


def test_each_gpu_is_a_square() -> None:
    assert squares(drawn(*CASES["design"])) == 48 + 2  # and one in the words of each group that has some


def test_each_model_has_its_color() -> None:
    svg = drawn("1*master<cpu=1, mem=1Gi> + 1*a<cpu=1, mem=1Gi, gpu=1:H100> + 1*b<cpu=1, mem=1Gi, gpu=1:A100> + 1*c<cpu=1, mem=1Gi, gpu=1:H100>\n" + HEAD)
    assert re.findall(r'<path class="(gpu\d)"', svg) == ["gpu0"] * 2 + ["gpu1"] * 2 + ["gpu0"] * 2


@pytest.mark.parametrize(("gang", "dashed"), [("", 3), ("gang[min=2]", 0)])
def test_nodes_that_may_be_missing_are_dashed(gang, dashed) -> None:
    """Two of four, and the sample in the legend; with a minimum below the sum nobody knows which."""
    svg = drawn(f"{gang}\n1*master<cpu=1, mem=1Gi> + 4*w<cpu=1, mem=1Gi, min=2>\n{HEAD}")
    assert len(re.findall(r'class="node"[^>]*dasharray', svg)) == dashed
    assert ("may be missing when the gang starts" in svg) == bool(dashed)


def test_it_speaks_to_those_who_do_not_see_it() -> None:
    root = ElementTree.fromstring(drawn(*CASES["design"]))
    assert root.get("role") == "img"
    by_id = {element.get("id"): element.text for element in root.iter() if element.get("id")}
    title, desc = (by_id[name] for name in root.get("aria-labelledby", "").split())
    assert title == "Gang job train"
    assert desc == (
        "7 nodes, 6 GPU nodes, 48 GPUs, 49 processes; all 7 to start. master: 1 pod, rank 0, each: no GPU, cpu 16, mem 64Gi, 1 process; "
        "a100-worker: 2 pods, ranks 1–2, each: 8 × A100-SXM4-80GB, cpu 96, mem 512Gi, rdma 1, 8 processes; "
        "h100-worker: 4 pods, ranks 3–6, each: 8 × H100-80GB-HBM3, cpu 96, mem 1Ti, rdma 1, 8 processes."
    )


def luminance(color: str) -> float:
    """Relative luminance as WCAG 2 defines it."""
    parts = [int(color[at:at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def color(name: str, dark: int, what: str = "fill") -> str:
    return dict(part.split(":") for part in STYLES[name][dark].split(";"))[what]


@pytest.mark.parametrize("dark", [0, 1])
@pytest.mark.parametrize(("name", "what", "grounds", "least"), [
    *((name, "fill", ("page", "card", "node"), 4.5) for name in ("text", "quiet", "tier")),
    *((name, "fill", ("card", "node"), 3) for name in STYLES if name.startswith("gpu")),
    *((name, "stroke", ("page", "card"), 3) for name in ("gang", "domain", "node")),
])
def test_contrast(name, what, grounds, least, dark) -> None:
    for ground in grounds:
        lights = sorted((luminance(color(name, dark, what)), luminance(color(ground, dark))))
        assert (lights[1] + 0.05) / (lights[0] + 0.05) >= least


@functools.cache
def sample() -> tuple[ir.Job, object]:
    made = job(*CASES["packed"])[0]
    return made, Compiler(Options(isolated=True)).site("", Report())


ANY_TEXT = st.text(min_size=1, max_size=90)


@given(names=st.lists(ANY_TEXT, min_size=3, max_size=3, unique=True), job_name=ANY_TEXT, label=ANY_TEXT, tier=ANY_TEXT)
def test_any_text_is_drawn_inside(names, job_name, label, tier) -> None:
    """No rule lets such names through; the picture does not lean on that."""
    made, site = sample()

    def called(located, text):
        return Located(text, located.origin)

    tasks = tuple(
        replace(task, name=called(task.name, name), gpu_model=called(task.name, label), node_selector=((called(task.name, label), called(task.name, name)),))
        for task, name in zip(made.tasks, names)
    )
    gang = replace(made.gang, pack=called(made.gang.pack, ir.Pack(tier, ir.SOFT)))
    renamed = replace(made, name=called(made.name, job_name), namespace=called(made.name, label), tasks=tasks, gang=gang)
    described = volcano_plan.describe(renamed, site)
    svg = plan.render(renamed, described, "svg", False)
    check(svg)
    assert svg == plan.render(renamed, described, "svg", False)


@given(st.text(), st.integers(20, 900), st.sampled_from([10, 12, 20]))
def test_a_line_fits(text, width, size) -> None:
    assert measure(fitted(text, width, size), size) <= width
    lines = wrapped(text, width, size, 2)
    assert len(lines) <= 2 and all(measure(line, size) <= width for line in lines)


@pytest.mark.slow
@needs_browser
def test_chromium_draws_every_text_inside_and_over_no_other(tmp_path) -> None:
    cases = {**CASES, "many": (wide(40), None, "many.het"), "tall": (wide(3, 10000, 64), None, "tall.het")}
    paths = []
    for name, case in cases.items():
        paths.append(tmp_path / f"{name}.svg")
        paths[-1].write_text(drawn(*case), encoding="utf-8")
    done = subprocess.run(["node", str(BROWSER / "picture.mjs"), *map(str, paths)], capture_output=True, text=True, timeout=120, check=True)
    for page in json.loads(done.stdout):
        assert page["faults"] == [], page["path"]
        assert page["texts"] > 5
        assert page["light"] != page["dark"], "the colours follow the reader's setting"
