"""HET584: profiles, groups and sysctls."""
from __future__ import annotations

import pytest

from hetc.rules.security_profile import RULE
from tests.rules.checks import Found, check_manifest
from tests.rules.helpers import job, related


def context(keys: str) -> list[str]:
    """What is said of a security context, which is the same for a container and a pod."""
    found = [each.message for each in check_manifest(RULE, job(pod=f"securityContext: {{{keys}}}\n"))]
    assert found == [each.message for each in check_manifest(RULE, job(container=f"securityContext: {{{keys}}}\n"))]
    return found


@pytest.mark.parametrize(("keys", "message"), [
    ("seccompProfile: {type: Localhost}", "`seccompProfile` is `Localhost`, and no profile is named"),
    ("appArmorProfile: {type: Localhost, localhostProfile: ' '}", "`appArmorProfile` is `Localhost`, and no profile is named"),
    ("seccompProfile: {type: Localhost, localhostProfile: /a}", "profile `/a` is no path below the node's directory of profiles"),
    ("seccompProfile: {type: Localhost, localhostProfile: a/../b}", "profile `a/../b` is no path below the node's directory of profiles"),
    ("appArmorProfile: {type: Localhost, localhostProfile: ' a'}", "profile ` a` begins or ends with a blank"),
    ("seccompProfile: {type: RuntimeDefault, localhostProfile: a}", "a profile is named, and `type` is not `Localhost`"),
])
def test_profiles(keys: str, message: str) -> None:
    assert context(keys) == [message]


@pytest.mark.parametrize("keys", [
    "seccompProfile: {type: Localhost, localhostProfile: a/b.json}", "appArmorProfile: {type: Localhost, localhostProfile: /a b}",
    "seccompProfile: {type: RuntimeDefault}", "appArmorProfile: {type: RuntimeDefault, localhostProfile: }", "seccompProfile: {}",
    "seccompProfile: x", "supplementalGroups: x, sysctls: x",
])
def test_profiles_that_are_fine(keys: str) -> None:
    assert context(keys) == []


def test_of_another_system() -> None:
    text = job(pod="os: {name: windows}\nsecurityContext: {runAsUser: 5}\n")
    assert check_manifest(RULE, text) == [Found(14, 27, "error", "`runAsUser` is not for pods of `windows`", "leave it out")]
    assert check_manifest(RULE, text.replace("windows", "linux")) == []
    linux = job(container="securityContext: {windowsOptions: {runAsUserName: x}}\n", pod="os: {name: linux}\n")
    assert [each.message for each in check_manifest(RULE, linux)] == ["`windowsOptions` is not for pods of `linux`"]


def test_groups_and_sysctls() -> None:
    def pod(keys: str) -> list[Found]:
        return check_manifest(RULE, job(pod=f"securityContext: {{{keys}}}\n"))

    assert pod("supplementalGroups: [0, -1]") == [
        Found(13, 51, "error", "the group is -1, and lies between 0 and 2147483647", "write the number of a group")]
    assert pod("supplementalGroups: [0, 2147483647]") == []
    sysctls = "sysctls: [{name: a.b, value: '1'}, {name: a/b, value: '1'}]"
    assert pod(sysctls) == [Found(13, 69, "error", "sysctl `a.b` stands twice", "keep one of the two")]
    assert pod(sysctls.replace("a/b", "a/c")) == []


@pytest.mark.parametrize(("keys", "place", "help"), [
    ("seccompProfile: {type: Localhost}", (13, 52), "add `localhostProfile: NAME`"),
    ("seccompProfile: {type: Localhost, localhostProfile: /a}", (13, 81), "write a relative path without `..`"),
    ("appArmorProfile: {type: Localhost, localhostProfile: ' a'}", (13, 82), "write `a`"),
    ("appArmorProfile: {type: RuntimeDefault, localhostProfile: a}", (13, 69), "leave it out, or write `type: Localhost`"),
    ("seccompProfile: {type: Unconfined, localhostProfile: a}", (13, 64), "leave it out, or write `type: Localhost`"),
])
def test_where_and_what_to_write(keys: str, place: tuple[int, int], help: str) -> None:
    [found] = check_manifest(RULE, job(container=f"securityContext: {{{keys}}}\n"))
    assert (found[:2], found.help) == (place, help)


def test_the_place_beside() -> None:
    sysctls = "sysctls: [{name: a.b, value: '1'}, {name: a/b, value: '1'}]"
    assert related(RULE, job(pod=f"securityContext: {{{sysctls}}}\n")) == [(13, 44, "the other one")]


@pytest.mark.parametrize("keys", [
    "seccompProfile: {type: 5, localhostProfile: a}", "seccompProfile: {localhostProfile: a}", "sysctls: [{}, {name: ''}, {name: ''}, {name: 5}, {name: 5}]",
    "seccompProfile: {type: Localhost, localhostProfile: ' a'}", "supplementalGroups: [2147483647, x]",
])
def test_more_that_is_fine(keys: str) -> None:
    assert context(keys) == []


def test_the_largest_group() -> None:
    assert [each.message for each in check_manifest(RULE, job(pod="securityContext: {supplementalGroups: [2147483648]}\n"))] == [
        "the group is 2147483648, and lies between 0 and 2147483647"]


@pytest.mark.parametrize("field", ["fsGroup", "fsGroupChangePolicy", "runAsGroup", "runAsUser", "seLinuxOptions", "supplementalGroups",
                                   "capabilities", "privileged", "readOnlyRootFilesystem", "seLinuxChangePolicy"])
def test_what_pods_of_windows_have_not(field: str) -> None:
    text = job(pod=f"os: {{name: windows}}\nsecurityContext: {{{field}: 5}}\n")
    assert [each.message for each in check_manifest(RULE, text)] == [f"`{field}` is not for pods of `windows`"]
    assert check_manifest(RULE, text.replace("windows", "")) == []


@pytest.mark.parametrize("field", ["hostIPC: true", "hostPID: true", "hostUsers: true", "shareProcessNamespace: true", "resources: {}"])
def test_what_a_pod_on_windows_has_not_itself(field: str) -> None:
    text = job(pod=f"os: {{name: windows}}\n{field}\n")
    assert [each[:2] + each[3:4] for each in check_manifest(RULE, text)] == [(14, 9, f"`{field.partition(':')[0]}` is not for pods of `windows`")]
    assert check_manifest(RULE, text.replace("windows", "linux")) == []


def test_a_field_of_linux_in_a_pod_of_windows() -> None:
    text = job(pod="os: {name: windows}\nhostIPC: true\n")
    assert check_manifest(RULE, text) == [Found(14, 9, "error", "`hostIPC` is not for pods of `windows`", "leave it out")]
