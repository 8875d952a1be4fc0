"""No text and no cursor makes the server stumble: random edits of what is right, and of what the fuzzer starts from."""
from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fuzz import seeds, targets
from hetc import discover
from hetc import fmt as formatter
from hetc.diagnostic import Report
from hetc.fix import fixed
from hetc.inputs import STDIN
from hetc.lsp import complete, symbols
from hetc.lsp.desk import Desk
from hetc.lsp.hover import hover
from hetc.lsp.positions import UTF16, Lines
from hetc.pipeline import Options

SEEDS = {target: [seed.decode("utf-8", "replace") for seed in seeds.seeds(target)] for target in targets.TARGETS}
WORDS = {target: [word.decode("utf-8", "replace") for word in seeds.words(target)] for target in targets.TARGETS}
STRANGE = st.sampled_from(["", "\ud800", "\udc00", "\0", "\r", "\ufeff", "🚀", "\t", "'", '"', "{", "[", ":", "- ", "\n---\n", "<", ">", "&a ", "*a", "|"])


def ask(name, text, cursors):
    """Everything that an editor can ask of a text."""
    desk = Desk(Options(isolated=True))
    desk.put("file", name, text)
    desk.check()
    looked = desk.looked["file"]
    assert looked.complaint is None, looked.complaint
    lines = Lines(looked.source.text, UTF16)
    for each in looked.report.sorted():
        if each.span.source.name == name:
            assert 0 <= each.span.start <= each.span.end <= len(looked.source.text)
            assert lines.position(each.span.start) <= lines.position(each.span.end)
    symbols.outline(looked)
    fixed(looked.source, looked.report.sorted())
    if looked.kind in (discover.REQUEST, discover.OVERLAY):
        formatter.formatted(looked.source, Report())
    for cursor in cursors:
        offset = cursor % (len(looked.source.text) + 1)
        shown = hover(desk, looked, offset)
        assert shown is None or (shown.text and shown.start <= offset <= shown.end)
        for choice in complete.offers(desk, looked, offset):
            assert choice.word[0] <= offset <= choice.word[1]
        symbols.definition(desk, looked, offset)


@pytest.mark.parametrize("target", targets.TARGETS)
@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(st.data())
def test_any_edit(target, data):
    text = data.draw(st.sampled_from(SEEDS[target]))
    places = []
    for _ in range(data.draw(st.integers(0, 3))):
        start = data.draw(st.integers(0, len(text)))
        end = min(len(text), start + data.draw(st.integers(0, 30)))
        text = text[:start] + data.draw(st.sampled_from(WORDS[target]) | STRANGE) + text[end:]
        places += [start, start + 1]
    name = data.draw(st.sampled_from([targets.TARGETS[target], STDIN]))
    ask(name, text, [*places, *data.draw(st.lists(st.integers(0, 10_000), max_size=3))])


@pytest.mark.parametrize("name", ["job.het", "a.het.yaml", "a.yaml", "a.json", STDIN])
@given(st.text(st.sampled_from("1*m<>=[],:+#\"'{}-| \n\r\\ausegng\ud83d🚀\0"), max_size=20), st.integers(0, 20))
def test_any_text(name, text, cursor):
    ask(name, text, [cursor])
