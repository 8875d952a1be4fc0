"""Quantities against the table of Kubernetes' own answers, against fractions, and against kubectl."""
from __future__ import annotations

import json
import pickle
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hetc.quantity import BINARY_SI, DECIMAL_SI, MAX, Quantity, QuantityError, cpu, memory, parse, show
from tests.judges import Refused, needs_kubectl, objects, run_kubectl

# What Go's resource.ParseQuantity makes of a text: canonical form, Value() and MilliValue(). Two columns differ from Go
# where Go overflows in silence: Value() and MilliValue() beyond 2^63 - 1 are exact here.
TAKEN = [
    ("1", "1", 1, 1000),
    ("0", "0", 0, 0),
    ("-1", "-1", -1, -1000),
    ("+1", "1", 1, 1000),
    ("0.5", "500m", 1, 500),
    ("-0.5", "-500m", -1, -500),
    ("1.", "1", 1, 1000),
    (".5", "500m", 1, 500),
    ("007", "7", 7, 7000),
    ("1k", "1k", 1000, 1000000),
    ("1Ki", "1Ki", 1024, 1024000),
    ("1Gi", "1Gi", 1073741824, 1073741824000),
    ("1E", "1E", 10**18, 10**21),
    ("1e3", "1e3", 1000, 1000000),
    ("1E3", "1e3", 1000, 1000000),
    ("1e+3", "1e3", 1000, 1000000),
    ("1e-3", "1e-3", 1, 1),
    ("1e4", "10e3", 10000, 10000000),
    ("0e5", "0", 0, 0),
    ("1e0", "1", 1, 1000),
    ("1e19", "10e18", 10**19, 10**22),
    ("9223372036854775808", "9223372036854775808", MAX + 1, (MAX + 1) * 1000),
    ("8Ei", "9223372036854775807", MAX, MAX * 1000),
    ("10Ei", "9223372036854775807", MAX, MAX * 1000),
    ("-10Ei", "-9223372036854775807", -MAX, -MAX * 1000),
    ("0.1m", "100u", 1, 1),
    ("1n", "1n", 1, 1),
    ("0.1n", "1n", 1, 1),
    ("-0.1n", "-1n", -1, -1),
    ("1e-10", "1e-9", 1, 1),
    ("1.23456789123", "1234567892n", 2, 1235),
    ("0.5Gi", "512Mi", 536870912, 536870912000),
    ("1.5Gi", "1536Mi", 1610612736, 1610612736000),
    ("0.1Gi", "107374182400m", 107374183, 107374182400),
    ("0.3Ki", "307200m", 308, 307200),
    ("1.25Ki", "1280", 1280, 1280000),
    ("0.9765625Ki", "1k", 1000, 1000000),
    ("0.0001Ki", "102400u", 1, 103),
    ("1024Mi", "1Gi", 1073741824, 1073741824000),
    ("1000Ki", "1000Ki", 1024000, 1024000000),
    ("1000m", "1", 1, 1000),
    ("100000", "100k", 100000, 100000000),
    ("1024.016T", "1024016G", 1024016000000000, 1024016000000000000),
    ("1.5m", "1500u", 1, 2),
    ("64Gi", "64Gi", 68719476736, 68719476736000),
    ("4000E", "4000E", 4000 * 10**18, 4000 * 10**21),
]

# Texts that Go, the pattern of the CRDs, or both refuse.
REFUSED = [
    "", ".", "+", "-", "m", "Ki", "Ei", "e-12", "e3", "1_000", "1K", "1ki", "1KI", "1MB", "1MiB", "1g", "1Zi", "1e", "1e1.5", "1e3Ki",
    "1e3m", " 1", "1 ", "1 Gi", "1\n", "NaN", "inf", "Infinity", "\u0663", "1\u0660", "\uff11", "--1", "1.5.5", "0x1F", "1e 3", "1\u212ai",
]


@pytest.mark.parametrize(("text", "canonical", "value", "milli"), TAKEN)
def test_a_quantity_has_the_value_and_the_form_that_go_gives_it(text, canonical, value, milli):
    quantity = parse(text)
    assert (quantity.canonical(), quantity.value(), quantity.milli()) == (canonical, value, milli)


@pytest.mark.parametrize("text", REFUSED)
def test_a_text_outside_either_grammar_is_refused(text):
    with pytest.raises(QuantityError) as caught:
        parse(text)
    assert f"`{show(text)}`" in caught.value.args[0]


@pytest.mark.parametrize(("text", "format"), [
    ("1", "DecimalSI"), ("1k", "DecimalSI"),
    ("1Ki", "BinarySI"), ("0.0001Ki", "DecimalSI"), ("0Ki", "BinarySI"), ("1e3", "DecimalExponent"),
])
def test_the_format_is_the_one_go_keeps(text, format):
    assert parse(text).format == format


def test_equality_and_order_are_by_value():
    assert parse("1Gi") == parse("1024Mi") == parse("1073741824") != parse("1G")
    assert hash(parse("1Gi")) == hash(parse("1024Mi"))
    assert sorted([parse("1Gi"), parse("1G"), parse("-1"), parse("900M")], key=lambda q: q) == [
        parse("-1"), parse("900M"), parse("1G"), parse("1Gi")]
    assert parse("1G") < parse("1Gi") <= parse("1024Mi") and parse("1Gi") > parse("1G") >= parse("1000M")
    assert parse("1") != 1


def test_a_quantity_does_not_change():
    quantity = parse("1")
    with pytest.raises(AttributeError):
        quantity.nano = 2
    with pytest.raises(AttributeError):
        del quantity.nano
    assert pickle.loads(pickle.dumps(quantity)) == quantity
    assert repr(quantity) == "Quantity(1)"


@pytest.mark.parametrize("reader", [parse, cpu, memory])
@pytest.mark.parametrize("text", [
    "9" * 1_000_000, "0." + "0" * 1_000_000 + "1Gi", "1e" + "9" * 1_000_000, "1e999999999", "1e-999999999", "1" + " " * 1_000_000 + "Gi",
    "1" + "_" * 200 + "?", "9" * 257, "1e1000",
])
def test_a_huge_text_is_refused_without_being_worked_out(reader, text):
    with pytest.raises(QuantityError) as caught:
        reader(text)
    assert len(caught.value.args[0]) < 200


@pytest.mark.parametrize(("text", "canonical"), [
    ("16", "16"), ("0.5", "500m"), ("500m", "500m"), ("1000m", "1"), ("0.001", "1m"), ("1m", "1m"), ("016", "16"), ("1.50", "1500m"),
    ("2000", "2k"), ("1.0m", "1m"), ("9223372036854775.807", "9223372036854775807m"),
])
def test_cpu_takes(text, canonical):
    assert cpu(text).canonical() == canonical


CORES = "write cores or thousandths of a core, for example `16`, `0.5` or `500m`"


@pytest.mark.parametrize(("text", "message", "help"), [
    ("0", "`0` is no cpu at all", "write at least `1m`, a thousandth of a core"),
    ("0.0m", "`0.0m` is no cpu at all", "write at least `1m`, a thousandth of a core"),
    ("0.0005", "`0.0005` is finer than a thousandth of a core", "write `1m`"),
    ("1.5m", "`1.5m` is finer than a thousandth of a core", "write `2m`"),
    ("1.0005", "`1.0005` is finer than a thousandth of a core", "write `1001m`"),
    ("500M", "`500M` is in millions of cores", "write `500m` for thousandths of a core"),
    ("16cores", "`16cores` is no amount of cpu", "write `16`"),
    ("16 m", "`16 m` is no amount of cpu", "write `16m`"),
    ("+1", "`+1` is no amount of cpu", "write `1`"),
    (".5", "`.5` is no amount of cpu", "write `0.5`"),
    ("1.", "`1.` is no amount of cpu", "write `1`"),
    ("1_000", "`1_000` is no amount of cpu", "write `1000`"),
    ("-1", "`-1` is negative", CORES),
    ("1k", "`1k` has a unit that cpu does not take", CORES),
    ("16Gi", "`16Gi` has a unit that cpu does not take", CORES),
    ("1e3", "`1e3` is no amount of cpu", CORES),
    ("", "`` is no amount of cpu", CORES),
    ("\u0663", "`\u0663` is no amount of cpu", CORES),
    ("9223372036854775.808", "`9223372036854775.808` is more cpu than Kubernetes can count", None),
])
def test_cpu_refuses(text, message, help):
    with pytest.raises(QuantityError) as caught:
        cpu(text)
    assert (caught.value.args[0], caught.value.help) == (message, help)


@pytest.mark.parametrize(("text", "canonical", "size"), [
    ("64Gi", "64Gi", 64 * 2**30), ("1.5Gi", "1536Mi", 1536 * 2**20), ("64k", "64k", 64000), ("0.5k", "500", 500),
    ("1.25Ki", "1280", 1280), ("64G", "64G", 64 * 10**9),
    ("064Gi", "64Gi", 64 * 2**30), ("9.223372036854775807E", "9223372036854775807", MAX), ("7Ei", "7Ei", 7 * 2**60),
])
def test_memory_takes(text, canonical, size):
    assert (memory(text).canonical(), memory(text).value()) == (canonical, size)


UNIT = "write a number and a unit, for example `64Gi`"


@pytest.mark.parametrize(("text", "message", "help"), [
    ("64", "`64` has no unit", "write the unit, for example `64Gi`"),
    ("64.50", "`64.50` has no unit", "write the unit, for example `64.5Gi`"),
    ("64000", "`64000` has no unit", "write the unit, for example `64000Mi`"),
    ("68719476736", "`68719476736` has no unit", "write the unit, for example `64Gi`; if bytes are meant, `64Gi`"),
    ("64000000000", "`64000000000` has no unit", "write the unit, for example `64Gi`; if bytes are meant, `64G`"),
    ("64000000001", "`64000000001` has no unit", "write the unit, for example `64Gi`"),
    ("0", "`0` has no unit", "write the unit, for example `64Gi`"),
    ("9" * 30, "`" + "9" * 30 + "` has no unit", "write the unit, for example `64Gi`"),
    ("64GB", "`64GB` is no amount of memory", "write `64Gi`"),
    ("64gi", "`64gi` is no amount of memory", "write `64Gi`"),
    ("64g", "`64g` is no amount of memory", "write `64Gi`"),
    ("64K", "`64K` is no amount of memory", "write `64Ki`"),
    ("64MiB", "`64MiB` is no amount of memory", "write `64Mi`"),
    ("64 Gi", "`64 Gi` is no amount of memory", "write `64Gi`"),
    ("64 GB", "`64 GB` is no amount of memory", "write `64Gi`"),
    ("64Gi\n", "`64Gi\\n` is no amount of memory", "write `64Gi`"),
    ("+64Gi", "`+64Gi` is no amount of memory", "write `64Gi`"),
    (".5Gi", "`.5Gi` is no amount of memory", "write `0.5Gi`"),
    ("1_000Mi", "`1_000Mi` is no amount of memory", "write `1000Mi`"),
    ("64m", "`64m` is in thousandths of a byte", "write `64Mi`"),
    ("64u", "`64u` is in fractions of a byte", UNIT),
    ("64e9", "`64e9` has an exponent", "write a unit: that many bytes are `64G`"),
    ("1.5e3", "`1.5e3` has an exponent", UNIT),
    ("1e3Ki", "`1e3Ki` is no amount of memory", UNIT),
    ("64 m", "`64 m` is no amount of memory", UNIT),
    ("64b", "`64b` is no amount of memory", UNIT),
    ("Gi", "`Gi` is no amount of memory", UNIT),
    ("", "`` is no amount of memory", UNIT),
    ("\uff16\uff14Gi", "`\uff16\uff14Gi` is no amount of memory", UNIT),
    ("-64Gi", "`-64Gi` is negative", UNIT),
    ("0Gi", "`0Gi` is no memory at all", "write an amount above zero, for example `64Gi`"),
    ("0.1Gi", "`0.1Gi` is not a whole number of bytes", "write `103Mi`"),
    ("0.1Ki", "`0.1Ki` is not a whole number of bytes", "write `1Ki`"),
    ("0.0001k", "`0.0001k` is not a whole number of bytes", "write `1k`"),
    ("0.00001Gi", "`0.00001Gi` is not a whole number of bytes", "write `11Ki`"),
    ("1.0000000001G", "`1.0000000001G` is not a whole number of bytes", "write `1001M`"),
    ("8Ei", "`8Ei` is more memory than Kubernetes can count", None),
    ("10.1Ei", "`10.1Ei` is more memory than Kubernetes can count", None),
    ("10E", "`10E` is more memory than Kubernetes can count", None),
])
def test_memory_refuses(text, message, help):
    with pytest.raises(QuantityError) as caught:
        memory(text)
    assert (caught.value.args[0], caught.value.help) == (message, help)


# An independent reading: split off the suffix by hand, multiply fractions, round once.
FACTORS = {
    "n": Fraction(1, 10**9), "u": Fraction(1, 10**6), "m": Fraction(1, 1000), "k": 10**3, "M": 10**6, "G": 10**9, "T": 10**12, "P": 10**15,
    "E": 10**18, "Ki": 2**10, "Mi": 2**20, "Gi": 2**30, "Ti": 2**40, "Pi": 2**50, "Ei": 2**60, "": 1,
}
NUMBERS = st.one_of(
    st.from_regex(r"\A[0-9]{1,21}(\.[0-9]{0,14})?\Z"), st.from_regex(r"\A\.[0-9]{1,14}\Z"),
    st.sampled_from(["0", "00", "1024", "1000", "1.024", "0.5", "9223372036854775807", "9223372036854775808"]),
)
SUFFIXES = st.one_of(
    st.sampled_from(sorted(FACTORS)), st.integers(-24, 24).map(lambda e: f"e{e}"), st.integers(0, 9).map(lambda e: f"E+{e}"),
)
QUANTITIES = st.tuples(st.sampled_from(["", "", "+", "-"]), NUMBERS, SUFFIXES)


def exact(sign: str, number: str, suffix: str) -> Fraction:
    """The amount as Kubernetes keeps it, from the parts of a quantity."""
    if suffix[:1] in ("e", "E") and suffix not in FACTORS:
        amount = Fraction(number) * Fraction(10) ** int(suffix[1:])
    else:
        amount = Fraction(number) * FACTORS[suffix]
    units = amount * 10**9
    whole = units.numerator // units.denominator
    kept = Fraction(whole if whole == units else whole + 1, 10**9)
    if suffix.endswith("i"):
        kept = min(kept, Fraction(MAX))
    return -kept if sign == "-" else kept


@given(QUANTITIES)
def test_parse_agrees_with_fractions(parts):
    quantity, amount = parse("".join(parts)), exact(*parts)
    assert Fraction(quantity.nano, 10**9) == amount
    for rounded, wanted in ((quantity.value(), amount), (quantity.milli(), amount * 1000)):
        assert abs(wanted) <= abs(rounded) < abs(wanted) + 1 and (rounded >= 0) == (wanted >= 0 or rounded == 0)


@given(QUANTITIES)
def test_the_canonical_form_keeps_the_amount_and_is_its_own_canonical_form(parts):
    quantity = parse("".join(parts))
    again = parse(quantity.canonical())
    assert again == quantity
    assert again.canonical() == quantity.canonical()
    assert "." not in quantity.canonical()


@given(st.one_of(st.text(st.sampled_from("0123456789.+-eEimnukKMGTPgB _\u0663"), max_size=12), st.text(max_size=8)))
def test_whatever_is_written_only_a_quantity_error_is_raised(text):
    for reader in (parse, cpu, memory):
        try:
            quantity = reader(text)
        except QuantityError as error:
            message = error.args[0]
        else:
            message = ""
            assert parse(text) == quantity
        assert message.isprintable()


@given(st.tuples(NUMBERS, st.sampled_from(["k", "M", "G", "T", "P", "E", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"])))
def test_the_memory_that_a_help_proposes_is_the_next_larger_legal_amount(parts):
    try:
        memory("".join(parts))
    except QuantityError as error:
        if error.args[0].endswith("not a whole number of bytes"):
            proposed = memory(error.help.split("`")[1])
            asked = exact("", *parts)
            assert asked < proposed.value() <= max(asked * 2, asked + 1024)


def kubectl_quantities(texts: list[str]) -> list[str]:
    """What kubectl makes of quantities, all in one process: they go through the Go type of a Pod and back."""
    limits = {f"x.example/q{i}": text for i, text in enumerate(texts)}
    pod = {
        "apiVersion": "v1", "kind": "Pod", "metadata": {"name": "pod"},
        "spec": {"containers": [{"name": "main", "resources": {"limits": limits}}]},
    }
    out = run_kubectl("set", "resources", "--local", "--requests=cpu=1", "-o", "json", stdin=json.dumps(pod))
    read = objects(out)[0]["spec"]["containers"][0]["resources"]["limits"]
    return [read[key] for key in limits]


def check_kubectl(texts: list[str]) -> None:
    for text, theirs in zip(texts, kubectl_quantities(texts), strict=True):
        ours = parse(text)
        # Go repeats a text that it has no cause to rewrite; what it rewrites is canonical.
        assert theirs in (text, ours.canonical()), text
        assert parse(theirs) == ours, text


@needs_kubectl
def test_kubectl_reads_the_table_alike():
    # Go prints 4000E as 4.
    check_kubectl([text for text, *_ in TAKEN if text != "4000E"])


@needs_kubectl
@pytest.mark.parametrize("text", [text for text in REFUSED if text not in (".", "+", "-", "m", "Ki", "Ei", "e-12", "e3", " 1", "1 ")])
def test_kubectl_refuses_what_is_refused(text):
    """Left out: texts without digits, which Go reads as 0, and blanks around, which kubectl trims; the CRDs refuse both."""
    with pytest.raises(Refused, match="quantit"):
        kubectl_quantities([text])


@needs_kubectl
@settings(max_examples=12, deadline=None)
@given(st.lists(QUANTITIES.map("".join), min_size=100, max_size=200))
def test_kubectl_reads_quantities_alike(texts):
    check_kubectl([text for text in texts if not go_loses(text)])


def go_loses(text: str) -> bool:
    """Whether Go prints the quantity wrongly: it drops suffixes of thousands of E."""
    return parse(text).canonical().endswith("000E")


@needs_kubectl
@settings(max_examples=40, deadline=None)
@given(st.text(st.sampled_from("0123456789.+-eEimnukKMGTP"), min_size=1, max_size=8))
def test_what_parse_takes_kubectl_takes_and_the_reverse(text):
    try:
        parse(text)
    except QuantityError as error:
        if "no digits" in error.args[0] or "beyond any quantity" in error.args[0]:
            return
        with pytest.raises(Refused, match="quantit"):
            kubectl_quantities([text])
    else:
        kubectl_quantities([text])


def help_of(read, text):
    with pytest.raises(QuantityError) as raised:
        read(text)
    return raised.value.help


ANY, MEMORY, CPU = ("write a number and a suffix, for example `64Gi` or `500m`", "write a number and a unit, for example `64Gi`",
                    "write cores or thousandths of a core, for example `16`, `0.5` or `500m`")


@pytest.mark.parametrize(("read", "text", "help"), [
    (parse, "x", ANY), (parse, ". Gi", ANY), (parse, "5. Gi", "write `5Gi`"), (parse, ".", "write a number, for example `1`"),
    (cpu, ". m", CPU), (cpu, "5. m", "write `5m`"),
    # the next smaller unit that makes it 1 or more
    (memory, "0.0001234567891012T", "write `124M`"), (memory, "0.1234567890123456P", "write `124T`"),
    (memory, "0.12345678901234567891E", "write `124P`"), (memory, "0.123456789012T1", MEMORY), (memory, "0.1234567890123T", "write `124G`"),
    (memory, "1234.0001k", "write `1235k`"), (memory, "1234.0001Ki", "write `1235Ki`"),
    (memory, "1.5e6", "write a unit: that many bytes are `1500k`"), (memory, "9.2e18", "write a unit: that many bytes are `9200P`"),
    (memory, "0e3", MEMORY),
    # a number alone: the more digits, the smaller the unit that is meant
    (memory, ".5", "write the unit, for example `0.5Gi`"), (memory, "999", "write the unit, for example `999Gi`"),
    (memory, "1000", "write the unit, for example `1000Mi`"), (memory, "999999", "write the unit, for example `999999Mi`"),
    (memory, "1000000", "write the unit, for example `64Gi`; if bytes are meant, `1M`"),
    (memory, "5000000", "write the unit, for example `64Gi`; if bytes are meant, `5M`"),
    (memory, "1001001", "write the unit, for example `64Gi`"),
    (memory, "9223372036854775000", "write the unit, for example `64Gi`; if bytes are meant, `9223372036854775k`"),
])
def test_what_to_write(read, text, help):
    assert help_of(read, text) == help


def test_the_bounds_of_a_text():
    assert parse("0" * 256).nano == 0 and parse("1e999").canonical() == "1e999"
    for text in ("0" * 257, "1e1000", "1e-1000"):
        with pytest.raises(QuantityError):
            parse(text)
    assert (show("x" * 40), show("x" * 41)) == ("x" * 40, "x" * 32 + "...")


def test_small_binary_amounts_are_decimal():
    assert [(amount.nano, amount.format) for amount in map(parse, ("0.0000000000009Ki", "0.0009765625Ki"))] == [
        (1, DECIMAL_SI), (10**9, BINARY_SI)]
    assert Quantity(1025 * 10**9, BINARY_SI).canonical() == "1025"


def test_order_is_that_of_the_amount_and_of_nothing_else():
    one, two = Quantity(1), Quantity(2, BINARY_SI)
    assert [one.__lt__(two), one.__lt__(one), one.__le__(one), two.__le__(one)] == [True, False, True, False]
    assert [two.__gt__(one), one.__gt__(one), one.__ge__(one), one.__ge__(two)] == [True, False, True, False]
    assert {getattr(one, name)(1) for name in ("__lt__", "__le__", "__gt__", "__ge__", "__eq__")} == {NotImplemented}
    assert hash(one) == hash(Quantity(1, BINARY_SI)) != hash(two)
    with pytest.raises(AttributeError, match="immutable: `nano`"):
        del one.nano
