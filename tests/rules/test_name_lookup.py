"""HET581: what a resolver is told."""
from __future__ import annotations

import pytest

from hetc.rules.name_lookup import RULE
from tests.rules.checks import Found, check_manifest
from tests.rules.helpers import job


def pod(text: str) -> list[Found]:
    return check_manifest(RULE, job(pod=text + "\n"))


def messages(text: str) -> list[str]:
    return [each.message for each in pod(text)]


@pytest.mark.parametrize("address", ["x", "01.2.3.4", "1.2.3", "1.2.3.4/8", "''", "' 1.2.3.4'"])
def test_addresses(address: str) -> None:
    message = f"`{address.strip(chr(39))}` is no IP address"
    assert pod(f"hostAliases: [{{ip: {address}, hostnames: [a]}}]") == [Found(13, 28, "error", message, "write one, such as `10.0.0.7`")]
    assert messages(f"dnsConfig: {{nameservers: [{address}]}}") == [message]


@pytest.mark.parametrize("address", ["1.2.3.4", "'::1'", "'2001:db8::ffff'"])
def test_addresses_that_are_fine(address: str) -> None:
    assert pod(f"hostAliases: [{{ip: {address}, hostnames: [a.b, c]}}]") == pod(f"dnsConfig: {{nameservers: [{address}]}}") == []


def test_host_names() -> None:
    assert messages("hostAliases: [{ip: 1.2.3.4, hostnames: [a, A_b]}]") == [
        "no legal host name: `A_b` has `A`, and only a-z, 0-9, `-` and `.` are allowed"]
    assert messages("hostnameOverride: ''") == ["no legal host name: the name is empty"]
    assert messages(f"hostnameOverride: {'a' * 65}") == [f"no legal host name: `{'a' * 65}` has 65 characters, 1 more than the 64 allowed"]
    assert messages(f"hostnameOverride: {'a' * 64}") == []


def test_how_many() -> None:
    assert messages("dnsConfig: {nameservers: [1.1.1.1, 1.1.1.2, 1.1.1.3, 1.1.1.4]}") == ["4 name servers are given, and at most 3 are taken"]
    assert messages(f"dnsConfig: {{searches: [{', '.join(['a'] * 33)}]}}") == ["33 search domains are given, and at most 32 are taken"]
    long = ", ".join(["a" * 63] * 32)
    assert messages(f"dnsConfig: {{searches: [{long}], nameservers: [1.1.1.1, 1.1.1.2, 1.1.1.3]}}") == []
    assert messages(f"dnsConfig: {{searches: [{long.replace('a' * 63, 'a' * 64, 1)}]}}") == []
    assert messages(f"dnsConfig: {{searches: [{long.replace('a' * 63, 'a' * 64, 2)}]}}") == [
        "the search domains have more than 2,048 characters in all"]


@pytest.mark.parametrize(("config", "help"), [
    ("nameservers: [1.1.1.1, 1.1.1.2, 1.1.1.3, 1.1.1.4]", "leave some out"), (f"searches: [{', '.join(['a'] * 33)}]", "leave some out"),
    (f"searches: [{', '.join(['a' * 64] * 32)}]", "leave some out"), ("options: [{name: ''}]", "add `name: ndots`, for example"),
])
def test_what_to_do(config: str, help: str) -> None:
    assert [each.help for each in pod(f"dnsConfig: {{{config}}}")] == [help]


@pytest.mark.parametrize(("domain", "wrong"), [
    ("A", "`A` has `A`, and only a-z, 0-9, `-` and `.` are allowed"), ("a b", "`a b` has ` `, and only a-z, 0-9, `-` and `.` are allowed"),
    ("''", "the name is empty"), (".", "the name is empty"), ("_a.b", "`_a.b` has `_`, and only a-z, 0-9, `-` and `.` are allowed"),
    ("a..b", "`a..b` has a dot without a letter or digit beside it"),
])
def test_search_domains(domain: str, wrong: str) -> None:
    assert pod(f"dnsConfig: {{searches: [{domain}]}}") == [Found(13, 32, "error", f"no legal search domain: {wrong}")]


def test_search_domains_that_are_fine() -> None:
    assert messages("dnsConfig: {searches: [a.b, c., d], options: [{name: ndots, value: '5'}]}") == []


def test_options() -> None:
    assert messages("dnsConfig: {options: [{value: '5'}, {name: ''}]}") == ["the resolver's option has no name"] * 2


@pytest.mark.parametrize("text", ["dnsConfig: x", "hostAliases: [x, {}]", "hostnameOverride: ", "dnsConfig: {nameservers: [1]}", "hostAliases: {}"])
def test_other_types(text: str) -> None:
    assert pod(text) == []
