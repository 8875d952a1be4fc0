"""Kubernetes quantities, exact, in integers only.

`parse` reads what Kubernetes takes anywhere in a manifest. `cpu` and `memory` read the narrower form of
requests and templates, where a unit is never guessed.
"""
from __future__ import annotations

import re
from functools import lru_cache

from hetc.lazy import regex

#: Kubernetes keeps whole quantities, and cpu in thousandths, in a signed 64-bit integer.
MAX = 2**63 - 1

DECIMAL_SI = "DecimalSI"
BINARY_SI = "BinarySI"
DECIMAL_EXPONENT = "DecimalExponent"

# No quantity needs more characters or a larger exponent, and Python refuses to convert numbers of more than 4300 digits.
_LONGEST = 256
_LARGEST_EXPONENT = 999

_NANO = 10**9
_DECIMAL = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
_BINARY = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}
_NAMES = {power: suffix for suffix, power in _DECIMAL.items()}

_QUANTITY = regex(
    r"(?P<sign>[+-]?)(?P<whole>[0-9]*)(?:\.(?P<fraction>[0-9]*))?"
    r"(?P<suffix>[KMGTPE]i|[numkMGTPE]?)(?:[eE](?P<exponent>[+-]?[0-9]+))?"
)
_CPU = regex(r"([0-9]+)(?:\.([0-9]+))?(m?)")
_MEMORY = regex(r"([0-9]+)(?:\.([0-9]+))?([kMGTPE]|[KMGTPE]i)")

# Only what is wrong meets these, so they are compiled then.
_NUMBER = r"([+-]?)([0-9]*)(?:\.([0-9]*))?"
_EXPONENT = r"([0-9]+)(?:\.([0-9]*))?[eE]\+?([0-9]{1,2})"
_NEARLY = r"\s*(\+?)([0-9_]*)(\.[0-9]*)?[\s_]*([A-Za-z]*)\s*"
_UNIT = r"(?ai:([kmgtpe])(?:i|b|ib|ib?ytes?|[a-z]{3,}ytes?)?)"
_CORES = r"(?ai:c|v?cpus?|v?cores?)"


class QuantityError(ValueError):
    """A text is no quantity of the kind asked for: `args[0]` says why, `help` what to write (None: nothing to say)."""

    def __init__(self, message: str, help: str | None = None) -> None:
        super().__init__(message)
        self.help = help


class Quantity:
    """An amount, `nano` * 10^-9, with the notation it prefers.

    `format` is Go's: "DecimalSI" (`500m`, `2k`), "BinarySI" (`64Gi`) or "DecimalExponent" (`2e3`).
    Equality and order look at the amount alone. Immutable.
    """

    __slots__ = ("format", "nano")

    nano: int
    format: str

    def __init__(self, nano: int, format: str = DECIMAL_SI) -> None:
        object.__setattr__(self, "nano", nano)
        object.__setattr__(self, "format", format)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a Quantity is immutable: `{name}`")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a Quantity is immutable: `{name}`")

    def __reduce__(self) -> tuple[type[Quantity], tuple[int, str]]:
        return Quantity, (self.nano, self.format)

    def __repr__(self) -> str:
        return f"Quantity({self.canonical()})"

    def __eq__(self, other: object) -> bool:
        return self.nano == other.nano if isinstance(other, Quantity) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.nano)

    def __lt__(self, other: Quantity) -> bool:
        return self.nano < other.nano if isinstance(other, Quantity) else NotImplemented

    def __le__(self, other: Quantity) -> bool:
        return self.nano <= other.nano if isinstance(other, Quantity) else NotImplemented

    def __gt__(self, other: Quantity) -> bool:
        return self.nano > other.nano if isinstance(other, Quantity) else NotImplemented

    def __ge__(self, other: Quantity) -> bool:
        return self.nano >= other.nano if isinstance(other, Quantity) else NotImplemented

    def value(self) -> int:
        """The amount as a whole number, rounded away from zero. May exceed `MAX`, where Go's `Value()` overflows."""
        return _away(self.nano, _NANO)

    def milli(self) -> int:
        """The amount in thousandths, rounded away from zero. May exceed `MAX`, where Go's `MilliValue()` overflows."""
        return _away(self.nano, 10**6)

    def canonical(self) -> str:
        """The shortest spelling without fraction in the quantity's own notation: `1536Mi`, `500m`, `10e18`.

        Go writes the same for an amount that was computed. What it has read it may repeat as it was (`+1`, `007`).
        """
        if self.nano == 0:
            return "0"
        amount = abs(self.nano)
        sign = "-" if self.nano < 0 else ""
        if self.format == BINARY_SI and amount >= 1024 * _NANO and amount % _NANO == 0:
            return sign + _binary(amount // _NANO)
        power = -9
        while amount % 1000 == 0 and (power < 18 or self.format == DECIMAL_EXPONENT):
            amount //= 1000
            power += 3
        if self.format == DECIMAL_EXPONENT:
            return f"{sign}{amount}e{power}" if power else f"{sign}{amount}"
        return f"{sign}{amount}{_NAMES[power]}"


@lru_cache(4096)
def parse(text: str) -> Quantity:
    """A quantity anywhere in a manifest: what both Go's ParseQuantity and the pattern in the CRDs take.

    Go alone would take digit-less texts (`m` is 0), the pattern alone a fractional exponent. Finer than
    10^-9 rounds away from zero, and binary suffixes stop at `MAX`, both as in Go; decimal ones do not stop.

    Raises QuantityError; also beyond 256 characters or an exponent of 999, whatever Kubernetes says.

    Source: apimachinery, api/resource/quantity.go, and the CRDs that controller-gen makes of it.
    """
    _check_length(text)
    match = _QUANTITY.fullmatch(text)
    if match is None or (match["suffix"] and match["exponent"]):
        raise QuantityError(f"`{show(text)}` is no quantity", _rewrite(text) or "write a number and a suffix, for example `64Gi` or `500m`")
    whole, fraction, suffix = match["whole"], match["fraction"] or "", match["suffix"]
    if not whole + fraction:
        raise QuantityError(f"`{show(text)}` has no digits", "write a number, for example `1`")
    exponent = _exponent(text, match["exponent"])
    amount = int(whole + fraction)
    if suffix in _BINARY:
        notation, amount, power = BINARY_SI, amount << _BINARY[suffix], 0
    elif match["exponent"]:
        notation, power = DECIMAL_EXPONENT, exponent
    else:
        notation, power = DECIMAL_SI, _DECIMAL[suffix]
    shift = 9 + power - len(fraction)
    nano = amount * 10**shift if shift >= 0 else _away(amount, 10**-shift)
    if notation == BINARY_SI:
        nano = min(nano, MAX * _NANO)
        if 0 < nano < _NANO:
            notation = DECIMAL_SI
    return Quantity(-nano if match["sign"] == "-" else nano, notation)


def cpu(text: str) -> Quantity:
    """Cores in a request or a template: `16`, `0.5`, `500m`; a whole number of thousandths, at least one.

    Raises QuantityError.
    """
    _check_length(text)
    match = _CPU.fullmatch(text)
    if match is None:
        raise QuantityError(*_not_cpu(text))
    whole, fraction, milli = match[1], match[2] or "", match[3]
    scale = 10 ** len(fraction)
    amount = int(whole + fraction) * (1 if milli else 1000)
    if amount == 0:
        raise QuantityError(f"`{show(text)}` is no cpu at all", "write at least `1m`, a thousandth of a core")
    if amount > MAX * scale:
        raise QuantityError(f"`{show(text)}` is more cpu than Kubernetes can count", None)
    if amount % scale:
        rounded = Quantity(_away(amount, scale) * 10**6).canonical()
        raise QuantityError(f"`{show(text)}` is finer than a thousandth of a core", f"write `{rounded}`")
    return Quantity(amount // scale * 10**6)


def memory(text: str) -> Quantity:
    """Memory in a request or a template: `64Gi`, `1.5G`; a whole number of bytes, above zero, at most `MAX`.

    The unit is one of k M G T P E Ki Mi Gi Ti Pi Ei. Raises QuantityError.
    """
    _check_length(text)
    match = _MEMORY.fullmatch(text)
    if match is None:
        raise QuantityError(*_not_memory(text))
    whole, fraction, unit = match[1], match[2] or "", match[3]
    scale = 10 ** len(fraction)
    amount = int(whole + fraction) * _bytes(unit)
    if amount == 0:
        raise QuantityError(f"`{show(text)}` is no memory at all", "write an amount above zero, for example `64Gi`")
    if amount > MAX * scale:
        raise QuantityError(f"`{show(text)}` is more memory than Kubernetes can count", None)
    if amount % scale:
        raise QuantityError(f"`{show(text)}` is not a whole number of bytes", f"write `{_round_up(amount, scale, unit)}`")
    return Quantity(amount // scale * _NANO, BINARY_SI if unit in _BINARY else DECIMAL_SI)


def show(text: str) -> str:
    """A value as a message quotes it: one line of at most 40 characters, unprintable ones escaped."""
    short = text if len(text) <= 40 else text[:32] + "..."
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in short)


def _away(amount: int, unit: int) -> int:
    """`amount` / `unit`, rounded away from zero."""
    return -(-amount // unit) if amount > 0 else amount // unit


def _bytes(unit: str) -> int:
    return 1 << _BINARY[unit] if unit in _BINARY else int(10 ** _DECIMAL[unit])


def _binary(amount: int) -> str:
    """A whole amount with the largest binary suffix that leaves no fraction."""
    suffix = ""
    for candidate, bits in _BINARY.items():
        if amount & ((1 << bits) - 1):
            break
        suffix = candidate
    return f"{amount >> _BINARY.get(suffix, 0)}{suffix}"


def _round_up(amount: int, scale: int, unit: str) -> str:
    """`amount` / `scale` bytes, rounded up in the first unit below `unit` that makes it 1 or more."""
    units = list(_BINARY) if unit in _BINARY else ["k", "M", "G", "T", "P", "E"]
    below = units[:units.index(unit)] or units[:1]
    while len(below) > 1 and amount < _bytes(below[-1]) * scale:
        below.pop()
    return f"{_away(amount, _bytes(below[-1]) * scale)}{below[-1]}"


def _check_length(text: str) -> None:
    if len(text) > _LONGEST:
        raise QuantityError(f"`{show(text)}` has {len(text)} characters, more than any quantity needs", None)


def _exponent(text: str, digits: str | None) -> int:
    """The exponent's number; `digits` None is 0."""
    exponent = int(digits or "0")
    if abs(exponent) > _LARGEST_EXPONENT:
        raise QuantityError(f"`{show(text)}` has an exponent beyond any quantity", None)
    return exponent


def _rewrite(text: str) -> str | None:
    """`write ...` for a number with a misspelt unit, with blanks, with underscores or without a digit at the point."""
    match = re.fullmatch(_NEARLY, text)
    if match is None or not match[2] + (match[3] or "").lstrip("."):
        return None
    number = (match[2].replace("_", "") or "0") + (match[3] or "").rstrip(".")
    unit = match[4]
    if unit and unit not in _BINARY and unit not in _DECIMAL:
        known = re.fullmatch(_UNIT, unit)
        if known is None:
            return None
        unit = known[1].upper() + "i"
    return f"write `{number}{unit}`"


def _not_cpu(text: str) -> tuple[str, str]:
    """What is wrong with a text that has not the form of cpu, and what to write."""
    shown = show(text)
    form = "write cores or thousandths of a core, for example `16`, `0.5` or `500m`"
    if text.startswith("-"):
        return f"`{shown}` is negative", form
    match = re.fullmatch(_NEARLY, text)
    if match is None or not match[2] + (match[3] or "").lstrip("."):
        return f"`{shown}` is no amount of cpu", form
    number = (match[2].replace("_", "") or "0") + (match[3] or "").rstrip(".")
    unit = match[4]
    if unit == "M":
        return f"`{shown}` is in millions of cores", f"write `{number}m` for thousandths of a core"
    if unit in ("", "m") or re.fullmatch(_CORES, unit):
        return f"`{shown}` is no amount of cpu", f"write `{number}{unit if unit == 'm' else ''}`"
    return f"`{shown}` has a unit that cpu does not take", form


def _not_memory(text: str) -> tuple[str, str]:
    """What is wrong with a text that has not the form of memory, and what to write."""
    shown = show(text)
    form = "write a number and a unit, for example `64Gi`"
    if text.startswith("-"):
        return f"`{shown}` is negative", form
    match = re.fullmatch(_NUMBER, text)
    if match is not None and match[2] + (match[3] or ""):
        return f"`{shown}` has no unit", _with_unit(match[2].lstrip("0"), (match[3] or "").rstrip("0"))
    match = re.fullmatch(_EXPONENT, text)
    if match is not None:
        fraction = match[2] or ""
        amount, scale = int(match[1] + fraction) * 10 ** int(match[3]), 10 ** len(fraction)
        if amount % (1000 * scale) == 0 and 0 < amount <= MAX * scale:
            return f"`{shown}` has an exponent", f"write a unit: that many bytes are `{Quantity(amount // scale * _NANO).canonical()}`"
        return f"`{shown}` has an exponent", form
    if re.fullmatch(r"[0-9]+(?:\.[0-9]+)?m", text):
        return f"`{shown}` is in thousandths of a byte", f"write `{text[:-1]}Mi`"
    if re.fullmatch(r"[0-9]+(?:\.[0-9]+)?[nu]", text):
        return f"`{shown}` is in fractions of a byte", form
    help = _rewrite(text)
    if help is None or not _MEMORY.fullmatch(help[7:-1]):
        return f"`{shown}` is no amount of memory", form
    return f"`{shown}` is no amount of memory", help


def _with_unit(whole: str, fraction: str) -> str:
    """What to write for a bare number: the form, never one value that would be right."""
    number = f"{whole or '0'}.{fraction}" if fraction else whole
    if not number or len(whole) > 19:
        return "write the unit, for example `64Gi`"
    if len(whole) <= 3:
        return f"write the unit, for example `{number}Gi`"
    if len(whole) <= 6:
        return f"write the unit, for example `{number}Mi`"
    amount = int(whole)
    if not fraction and amount <= MAX and (amount % 1024 == 0 or amount % 1000 == 0):
        exact = min(_binary(amount), Quantity(amount * _NANO).canonical(), key=len)
        return f"write the unit, for example `64Gi`; if bytes are meant, `{exact}`"
    return "write the unit, for example `64Gi`"
