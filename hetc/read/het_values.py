"""The values of a request: what one item's text means, or what is wrong with it.

Each reader takes an item and the report, and gives a located value, or None when it reported a mistake.
Digits are ASCII: `int()`, `\\d` and `isdigit` also take `٣`, and `int()` takes `1_000`.
"""
from __future__ import annotations

import re

from hetc import codes, quantity
from hetc.ir import HARD, SOFT, Pack
from hetc.origin import Located, Origin
from hetc.quantity import show

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from hetc.diagnostic import Report
    from hetc.read.het_words import Item, Word

    Model: TypeAlias = Located[str] | None

#: Counts, their sum and all other whole numbers stay below this: Kubernetes keeps them in 32 bits.
TOO_MANY = 2**31

#: The longest name, label value and label name of Kubernetes.
LONGEST = 63

_NUMBER = re.compile(r"[0-9]+")
_NAME = re.compile(r"[a-z](?:[-a-z0-9]*[a-z0-9])?")
_LABEL = re.compile(r"[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?")
_PREFIX = re.compile(r"[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*")
_DECIMAL = re.compile(r"([0-9.]+)([kMGTPE])")

#: A compute slice and a memory slice, and what else an instance has or lacks, as NVIDIA or the resource has it: `1g.10gb`, `1g.10gb+me`,
#: `1g.10gb.me`, `1g.24gb-me`.
MIG = re.compile(r"[1-9]g\.[1-9][0-9]{0,3}gb(?:[+.][a-z]{1,8}(?:\.[a-z]{1,8})?|-[a-z]{1,8})?")

#: How Volcano parts a GPU; a node does one of them.
VGPU_MODES = ("hami-core", "mig")

#: How many percent a decimal suffix is smaller than the binary one.
_SMALLER = {"k": "2.3", "M": "4.6", "G": "6.9", "T": "9.1", "P": "11.2", "E": "13.3"}


def count(word: Word, report: Report) -> Located[int] | None:
    """A group's count: `[1-9][0-9]*`."""
    number = _plain(word.text)
    if number is None:
        from hetc.read import het_foreign

        report.add(codes.COUNT, word.span, *het_foreign.count(word.text))
        return None
    if number == TOO_MANY:
        report.add(codes.TOO_LARGE, word.span, f"the count `{show(word.text)}` is above {TOO_MANY - 1}", "write a smaller count")
        return None
    return Located(number, Origin(word.span))


def swapped(count: Word, name: Word, report: Report) -> bool:
    """Report a name and a count that stand in each other's place: `worker*2`."""
    if not _NAME.fullmatch(count.text) or _plain(name.text) is None:
        return False
    report.add(codes.COUNT, count.span, f"the count `{show(count.text)}` is not a number",
               f"write the count first: `{show(name.text)}*{show(count.text)}`")
    return True


def _plain(text: str) -> int | None:
    """`[1-9][0-9]*` as a number, TOO_MANY standing for all above; None for anything else."""
    if not _NUMBER.fullmatch(text) or text.startswith("0"):
        return None
    return min(int(text), TOO_MANY) if len(text) <= len(str(TOO_MANY)) else TOO_MANY


def name(word: Word, report: Report) -> None:
    """Report a name that is no DNS-1035 label."""
    text = word.text
    if len(text) > LONGEST:
        message = f"the name `{show(text)}` has {len(text)} characters, {LONGEST} are allowed"
        report.add(codes.NO_NAME, word.span, message, "write a shorter name")
    elif not _NAME.fullmatch(text):
        rewrite = re.sub("[^-a-z0-9]", "-", text.lower()).strip("-").lstrip("-0123456789")
        form = "lower-case letters, digits and `-`, a letter first"
        help = f"write `{show(rewrite)}`: {form}" if rewrite else f"write {form}"
        report.add(codes.NO_NAME, word.span, f"the name `{show(text)}` is no DNS-1035 label", help)


def single(item: Item, report: Report, example: str) -> Word | None:
    """The value of an item that takes one part."""
    key = show(item.key.text)
    if not item.parts:
        report.add(codes.BAD_VALUE, item.key.span, f"`{key}` has no value", f"write `{key}={example}`")
        return None
    if len(item.parts) > 1:
        text = show(item.value_span().text())
        report.add(codes.BAD_VALUE, item.value_span(), f"`{key}` takes one value, not `{text}`", f"write `{key}={example}`")
        return None
    return item.parts[0]


def cpu(item: Item, report: Report) -> Located[quantity.Quantity] | None:
    """Cores for one replica: `16`, `0.5`, `500m`."""
    return _quantity(item, report, quantity.cpu, "16")


def memory(item: Item, report: Report) -> Located[quantity.Quantity] | None:
    """Memory for one replica, with a unit: `64Gi`."""
    amount = _quantity(item, report, quantity.memory, "64Gi")
    decimal = _DECIMAL.fullmatch(item.parts[0].text) if amount is not None else None
    if decimal is not None:
        number, suffix = decimal.groups()
        binary = f"{number}{suffix.upper()}i"
        message = f"`{number}{suffix}` is {_SMALLER[suffix]} % smaller than `{binary}`"
        report.add(codes.DECIMAL_SUFFIX, item.parts[0].span, message, f"write `{binary}` if the unit is meant to be binary")
    return amount


def _quantity(
    item: Item, report: Report, parse: Callable[[str], quantity.Quantity], example: str,
) -> Located[quantity.Quantity] | None:
    word = single(item, report, example)
    if word is None:
        return None
    try:
        return Located(parse(word.text), Origin(word.span))
    except quantity.QuantityError as error:
        report.add(codes.QUANTITY, word.span, f"`{item.key.text}`: {error.args[0]}", error.help)
        return None


def whole(item: Item, report: Report, least: int, example: str = "8") -> Located[int] | None:
    """A whole number of at least `least`."""
    word = single(item, report, example)
    return None if word is None else number(word, item.key.text, report, least)


def number(word: Word, key: str, report: Report, least: int) -> Located[int] | None:
    """A whole number of at least `least` in one part of the value of `key`."""
    text = word.text
    value = 0 if text == "0" else _plain(text)
    if value is not None and least <= value < TOO_MANY:
        return Located(value, Origin(word.span))
    if value is None and _NUMBER.fullmatch(text):
        short = text.lstrip("0") or "0"
        report.add(codes.LEADING_ZERO, word.span, f"`{key}`: `{show(text)}` has a leading zero", f"write `{show(short)}`")
    elif value is None:
        message = f"`{key}`: `{show(text)}` is not a whole number"
        report.add(codes.BAD_VALUE, word.span, message, f"write digits only, such as `{key}={max(least, 1)}`")
    elif value < least:
        report.add(codes.BAD_VALUE, word.span, f"`{key}` is `{text}`, below {least}", f"write {least} or more")
    else:
        message = f"`{key}`: `{show(text)}` is above {TOO_MANY - 1}"
        report.add(codes.TOO_LARGE, word.span, message, "write a smaller number")
    return None


def gpu(item: Item, report: Report) -> tuple[Located[int] | None, Model]:
    """GPUs for one replica, and their model where one is given: `8`, `8:A100-SXM4-80GB`."""
    parts = item.parts
    if not parts or len(parts) > 2 or not re.match("[-+0-9]", parts[0].text) or (len(parts) == 1 and _has_model(parts[0].text)):
        from hetc.read import het_foreign

        report.add(codes.BAD_VALUE, item.value_span(), *het_foreign.gpu([part.text for part in parts]))
        return None, None
    amount = number(parts[0], "gpu", report, least=0)
    model = parts[1] if len(parts) > 1 else None
    if model is None:
        return amount, None
    if amount is not None and amount.value == 0:
        message = f"`gpu` gives the model `{show(model.text)}` to no GPU"
        report.add(codes.BAD_VALUE, item.value_span(), message, "write `gpu=0`, or a number from 1 before the model")
    return amount, model.located() if _is_model(model, report) else None


def _has_model(text: str) -> bool:
    """`8xH100` and its like; most values are digits, which need no look."""
    from hetc.read import het_foreign

    return not text.isdigit() and het_foreign.is_joined(text)


def _is_model(word: Word, report: Report) -> bool:
    label = word.text.replace(" ", "-")
    if len(label) > LONGEST:
        message = f"the GPU model has {len(label)} characters, a node label holds {LONGEST}"
        report.add(codes.BAD_VALUE, word.span, message, "write the value of the nodes' product label")
        return False
    if not _LABEL.fullmatch(label):
        message = f"the GPU model `{show(word.text)}` cannot be the value of a node label"
        report.add(codes.BAD_VALUE, word.span, message, "write letters, digits, `-`, `_` and `.`, as in `8:A100-SXM4-80GB`")
        return False
    return True


def rdma(item: Item, report: Report) -> Located[int] | None:
    """RDMA devices for one replica; the flag alone is one."""
    return whole(item, report, least=0, example="1") if item.parts else Located(1, Origin(item.key.span))


def mig(item: Item, report: Report) -> tuple[Located[str] | None, Located[int] | None]:
    """A MIG profile and how many instances of it: `3g.40gb:2`, one where no number stands.

    A resource's name has no `+`. Source: NVIDIA's device plugin, api/config/v1, which puts a `.` there.
    """
    profile = item.parts[0] if item.parts else None
    if profile is None or len(item.parts) > 2 or not MIG.fullmatch(profile.text):
        what = f"`{show(item.value_span().text())}` is no MIG profile" if profile is not None else "`mig` names no profile"
        report.add(codes.BAD_VALUE, item.value_span() if profile is not None else item.key.span, what,
                   "write the profile and a number of instances, such as `mig=3g.40gb:2`")
        return None, None
    amount = number(item.parts[1], "mig", report, least=1) if len(item.parts) > 1 else Located(1, Origin(profile.span).derived())
    return Located(f"mig:{profile.text.replace('+', '.')}", Origin(profile.span)), amount


def vgpu(item: Item, report: Report) -> tuple[Located[int] | None, Located[str] | None]:
    """How many vGPUs, and how the GPUs are parted where that is said: `2`, `2:hami-core`."""
    if not item.parts or len(item.parts) > 2:
        single(item, report, "2")
        return None, None
    mode = item.parts[1] if len(item.parts) > 1 else None
    if mode is not None and mode.text not in VGPU_MODES:
        listed = " or ".join(f"`{item.parts[0].text}:{each}`" for each in VGPU_MODES)
        report.add(codes.BAD_VALUE, mode.span, f"`vgpu`: `{show(mode.text)}` is no way to part a GPU", f"write {listed}")
        return None, None
    return number(item.parts[0], "vgpu", report, least=1), mode.located() if mode is not None else None


def mebibytes(item: Item, report: Report) -> Located[int] | None:
    """An amount of memory in whole MiB."""
    amount = memory(item, report)
    if amount is None:
        return None
    least, rest = divmod(amount.value.value(), 2**20)
    if rest:
        report.add(codes.QUANTITY, amount.span, f"`{item.key.text}`: `{show(item.parts[0].text)}` is no whole number of MiB",
                   f"write `{least + 1}Mi`")
        return None
    return Located(least, amount.origin.derived())


def percent(item: Item, report: Report) -> Located[int] | None:
    """A whole number from 1 to 100."""
    amount = whole(item, report, least=1, example="50")
    if amount is not None and amount.value > 100:
        report.add(codes.BAD_VALUE, amount.span, f"`{item.key.text}` is {amount.value}, and counts percent of a GPU", "write at most 100")
        return None
    return amount


def length(item: Item, report: Report) -> Located[int] | None:
    """A length of time in seconds: `30m`, `1h30m`."""
    from hetc import duration

    word = single(item, report, "30m")
    wrong = duration.complaint(word.text) if word is not None else None
    if word is None or wrong is not None:
        if word is not None and wrong is not None:
            report.add(codes.BAD_VALUE, word.span, f"`{item.key.text}`: {wrong[0]}", wrong[1])
        return None
    return Located(duration.seconds(word.text), Origin(word.span))


def pack(item: Item, report: Report) -> Located[Pack] | None:
    """A tier, by number or name, and whether it is HARD (default) or SOFT."""
    if not item.parts or len(item.parts) > 2:
        single(item, report, "TIER:hard")
        return None
    tier, mode = item.parts[0], item.parts[1].text if len(item.parts) > 1 else HARD
    if mode not in (HARD, SOFT):
        message = f"`{item.key.text}`: `{show(mode)}` is neither `{HARD}` nor `{SOFT}`"
        report.add(codes.BAD_VALUE, item.parts[1].span, message, f"write `{show(tier.text)}:{HARD}` or `{show(tier.text)}:{SOFT}`")
        return None
    if _NUMBER.fullmatch(tier.text):
        level = number(tier, item.key.text, report, least=0)
        return None if level is None else Located(Pack(level.value, mode), Origin(item.value_span()))
    if tier.text in (HARD, SOFT) and len(item.parts) == 1:
        report.add(codes.BAD_VALUE, tier.span, f"`{item.key.text}={tier.text}` names no tier", f"write `{item.key.text}=TIER:{tier.text}`")
        return None
    if len(tier.text) > 253 or not _LABEL.fullmatch(tier.text):
        message = f"`{item.key.text}`: `{show(tier.text)}` is neither a tier number nor a tier name"
        report.add(codes.BAD_VALUE, tier.span, message, "write the number or the name of a tier, such as `1` or `rack`")
        return None
    return Located(Pack(tier.text, mode), Origin(item.value_span()))


def label(item: Item, report: Report) -> tuple[Located[str], Located[str]] | None:
    """A node label that must hold exactly."""
    word = single(item, report, "VALUE")
    if word is None or not _is_label_key(item.key, report):
        return None
    if len(word.text) > LONGEST:
        message = f"the label value `{show(word.text)}` has {len(word.text)} characters, {LONGEST} are allowed"
        report.add(codes.BAD_VALUE, word.span, message, "write the value that the nodes carry")
        return None
    if word.text and not _LABEL.fullmatch(word.text):
        message = f"`{show(word.text)}` cannot be the value of a node label"
        report.add(codes.BAD_VALUE, word.span, message, "write the value that the nodes carry")
        return None
    return item.key.located(), word.located()


def _is_label_key(word: Word, report: Report) -> bool:
    prefix, slash, last = word.text.rpartition("/")
    right = len(last) <= LONGEST and _LABEL.fullmatch(last) and len(prefix) <= 253
    if right and (not slash or _PREFIX.fullmatch(prefix)):
        return True
    message = f"`{show(word.text)}` cannot be the key of a node label"
    report.add(codes.BAD_VALUE, word.span, message, "write a label key, such as `zone` or `example.com/pool`")
    return False
