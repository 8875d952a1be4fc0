"""The text that a container's shell gets, and the kubelet between hetc and it."""
import os
import shutil
import subprocess
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hetc.script import MAX_SCRIPT, env_value, protect, script

TOKENS = st.sampled_from([*"$()\\'\"`\n A{é🦊", "$$", "$(", "$(A)", "$$(A)", "$((", "$é"])
TEXTS = st.one_of(st.lists(TOKENS, max_size=14).map("".join), st.text(max_size=12))
VARIABLES = st.dictionaries(st.one_of(st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,3}", fullmatch=True), st.just("A")), TEXTS, max_size=4)


def kubelet(text, variables, mended=True):
    """What the kubelet makes of a command or an env value; before it was mended it took characters apart into bytes."""
    data = list(text) if mended else [bytes([byte]) for byte in text.encode()]
    if not mended:
        data = [byte.decode("ascii") if byte < b"\x80" else byte for byte in data]
    out, at = [], 0
    while at < len(data):
        if data[at] != "$" or at + 1 == len(data):
            out.append(data[at])
            at += 1
        elif data[at + 1] == "$":
            out.append("$")
            at += 2
        elif data[at + 1] == "(" and ")" in data[at:]:
            end = data.index(")", at)
            name = joined(data[at + 2:end])
            out.append(variables.get(name, f"$({name})"))
            at = end + 1
        elif isinstance(data[at + 1], bytes):
            out.append("$" + data[at + 1].decode("latin-1"))
            at += 2
        else:
            out += data[at:at + 2]
            at += 2
    return joined(out)


def joined(pieces):
    whole = b"".join(piece if isinstance(piece, bytes) else piece.encode() for piece in pieces)
    return whole.decode("utf-8", "surrogateescape")


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("$(A)", "1"),
        ("$$(A)", "$(A)"),
        ("$$$(A)", "$1"),
        ("$(B) $(A)$(A)", "$(B) 11"),
        ("$(A", "$(A"),
        ("$(A $$ x", "$(A $ x"),
        ("$", "$"),
        ("a$$", "a$"),
        ("$A ${A} $((1))", "$A ${A} $((1))"),
        ("foo\\$(A)bar", "foo\\1bar"),
        ("$()", "$()"),
    ],
)
def test_the_kubelet_of_these_tests_expands_as_its_documentation_says(text, result):
    assert kubelet(text, {"A": "1"}) == result
    assert kubelet(text, {"A": "1"}, mended=False) == result


def test_the_kubelet_of_these_tests_can_break_what_is_not_protected():
    assert kubelet("$é", {}, mended=False) == "$Ã\udca9"
    assert kubelet("$é", {}) == "$é"


@given(TEXTS, VARIABLES, st.booleans())
@settings(max_examples=400, deadline=None)
def test_a_protected_text_comes_out_of_the_kubelet_as_it_was(text, variables, mended):
    assert kubelet(protect(text), variables, mended) == text


@pytest.mark.parametrize(
    ("text", "protected"),
    [
        ("echo $(date)", "echo $$(date)"),
        ("$(( $(nproc) / 2 ))", "$$(( $$(nproc) / 2 ))"),
        ("kill $$; echo $HOME ${HOME} $", "kill $$$; echo $HOME ${HOME} $"),
        ("$$$(A)", "$$$$$$(A)"),
        ("$é", "$$é"),
    ],
)
def test_only_dollars_that_the_kubelet_would_touch_are_doubled(text, protected):
    assert protect(text) == protected


def meant(text, variables):
    """What the value is meant to be in the container, by the rules of the manifest."""
    out = ""
    while text:
        closed = text.find(")") >= 0
        if text.startswith("$$("):
            out, text = out + ("$" if closed else "$$"), text[2:]
        elif text.startswith("$$"):
            out, text = out + "$$", text[2:]
        elif text.startswith("$(") and closed:
            name, _, text = text[2:].partition(")")
            out += variables.get(name, f"$({name})")
        else:
            out, text = out + text[0], text[1:]
    return out


@given(TEXTS, VARIABLES, st.booleans())
@settings(max_examples=400, deadline=None)
def test_an_env_value_comes_out_of_the_kubelet_as_meant(text, variables, mended):
    assert kubelet(env_value(text, variables).text, variables, mended) == meant(text, variables)


@pytest.mark.parametrize(
    ("text", "value", "names", "unknown"),
    [
        ("plain", "plain", (), ()),
        ("$(A)-$(B)-$(A)", "$(A)-$(B)-$(A)", ("A", "B"), ("B",)),
        ("$(C)$(B)$(A)", "$(C)$(B)$(A)", ("C", "B", "A"), ("C", "B")),
        ("$$(A)", "$$(A)", (), ()),
        ("pa$$word", "pa$$$$word", (), ()),
        ("$$$(A)", "$$$$$(A)", ("A",), ()),
        ("$$$$(A)", "$$$$$$(A)", (), ()),
        ("$$(open", "$$$$(open", (), ()),
        ("$(open $$", "$(open $$$$", (), ()),
        ("$(date +%s)", "$(date +%s)", ("date +%s",), ("date +%s",)),
        ("$HOME ${HOME} $", "$HOME ${HOME} $", (), ()),
        ("$é$(A)", "$$é$(A)", ("A",), ()),
    ],
)
def test_an_env_value_and_its_references(text, value, names, unknown):
    found = env_value(text, {"A"})
    assert (found.text, found.names, found.unknown) == (value, names, unknown)


def made(setup=(), command=(), base=0, set_node_rank=True):
    return script(base, "AJ_TASK_INDEX", "AJ_NODE_RANK", set_node_rank, setup, command)


HEAD = 'set -e\nexport AJ_NODE_RANK=$((3 + AJ_TASK_INDEX))\nexport NODE_RANK="$AJ_NODE_RANK"\n'


def test_a_script_is_rank_lines_then_setup_then_command():
    result = made(["\n\n  cd /src\n \t\n", "", " \n"], ["\nA=1\n\n  B=2\n", "python train.py --at $(date)\n\n"], base=3)
    assert result.text == HEAD + "  cd /src\nA=1\n\n  B=2\nexec python train.py --at $$(date)"
    assert (result.exec, result.why_not) == (True, None)


def test_node_rank_is_left_to_the_user_who_sets_it():
    assert made(command=["python x"], set_node_rank=False).text == (
        "set -e\nexport AJ_NODE_RANK=$((0 + AJ_TASK_INDEX))\nexec python x"
    )


def test_a_script_without_lines_of_the_user_has_no_exec():
    result = made(base=3)
    assert result.text + "\n" == HEAD
    assert not result.exec


def test_a_last_line_that_stays_has_a_reason():
    result = made(command=["echo done"], base=3)
    assert result.text == HEAD + "echo done"
    assert (result.exec, result.why_not) == (False, "`echo` is a builtin or keyword of the shell")


def test_the_size_is_what_the_shell_gets():
    result = made(command=["echo $$ é"], base=3)
    assert result.size == len((HEAD + "echo $$ é").encode())
    assert len(result.text.encode()) == result.size + 1


def test_linux_takes_a_script_of_the_longest_size_and_no_longer_one():
    def run(size):
        return subprocess.run(["/bin/sh", "-c", ":" + " " * (size - 1)], check=False).returncode

    assert run(MAX_SCRIPT) == 0
    if os.uname().sysname == "Linux":
        with pytest.raises(OSError, match="too long"):
            run(MAX_SCRIPT + 1)


def intended(setup, command, base=0, set_node_rank=True):
    """The shell text that the script stands for, without `exec`."""
    lines = ["set -e", f"export AJ_NODE_RANK=$(({base} + AJ_TASK_INDEX))", *(['export NODE_RANK="$AJ_NODE_RANK"'] if set_node_rank else [])]
    for text in [*setup, *command]:
        own = text.split("\n")
        while own and not own[0].strip(" \t"):
            own = own[1:]
        while own and not own[-1].strip(" \t"):
            own = own[:-1]
        lines += own
    return "\n".join(lines)


def with_exec(text, last):
    head, newline, line = text.rpartition("\n")
    return f"{head}{newline}exec {line}" if last else text


@given(st.lists(TEXTS, max_size=3), st.lists(TEXTS, max_size=3), VARIABLES, st.booleans(), st.integers(0, 1000), st.booleans())
@settings(max_examples=400, deadline=None)
def test_the_kubelet_hands_the_shell_the_intended_text(setup, command, variables, set_node_rank, base, mended):
    result = made(setup, command, base, set_node_rank)
    variables |= {"AJ_TASK_INDEX": "5", "nproc": "64"}
    assert kubelet(result.text, variables, mended) == with_exec(intended(setup, command, base, set_node_rank), result.exec)
    assert not result.text.endswith("\n")


# The shapes, run

SHELLS = {"sh": ["/bin/sh"], "dash": ["dash"], "bash": ["bash"], "bash as sh": ["bash", "--posix"], "busybox": ["busybox", "sh"]}


@pytest.fixture(params=SHELLS)
def shell(request):
    command = SHELLS[request.param]
    if shutil.which(command[0]) is None:
        pytest.skip(f"{command[0]} is not installed")
    return command


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A directory with stand-ins for programs, and files that scripts use."""
    root = tmp_path_factory.mktemp("place")
    programs = {
        "show": 'echo "show $NODE_RANK $# [$*]"',
        "pid": "echo $$",
        "fails": 'echo "fails" >&2; exit "$1"',
        "copy": "exec cat",
        "waits": 'trap "echo got TERM; exit 7" TERM\necho ready; while :; do sleep 0.05; done',
    }
    (root / "bin").mkdir()
    for name, body in programs.items():
        (root / "bin" / name).write_text(f"#!/bin/sh\n{body}\n")
        (root / "bin" / name).chmod(0o755)
    (root / "bin" / "bare").write_text('echo "no interpreter line [$*]"\n')
    (root / "bin" / "bare").chmod(0o755)
    (root / "lib.sh").write_text('show() { echo "not the program"; }\n')
    (root / "input").write_text("some input\n")
    return root


def environment(place):
    return {
        "PATH": f"{place / 'bin'}:/usr/bin:/bin", "AJ_TASK_INDEX": "2", "HOME": str(place), "EVAL": "eval", "SHOW": "show",
        "LANG": "C", "TWO": "a b", "EMPTY": "",
    }


def run(shell, text, place):
    for folder in (place, place / "bin"):
        (folder / "out").write_text("before\n")
    with open(place / "input") as file:
        done = subprocess.run(
            [*shell, "-c", text], cwd=place, env=environment(place), stdin=file, capture_output=True, text=True, timeout=20, check=False,
        )
    # bash quotes the line that it cannot parse.
    return done.stdout, done.stderr.replace("exec ", ""), done.returncode


RUN_BY_EXEC = [
    ["show a 'b c' \"$TWO\" $TWO"],
    ["  show indented"],
    ["show $(printf '%s ' 1 2) `printf 3` $((1 + 2)) ${TWO} ${UNSET:-none}"],
    ["show 'a\\' \"q\\\"'\" a\\ b \\$ '#' a#b *.sh"],
    ["copy < input 2>&1"],
    [">out show to a file"],
    ["show x 2>/dev/null >>out"],
    ["show > /nonexistent/file"],
    ["fails 3"],
    ["fails 0"],
    ["bin/show by path"],
    ["bare a b"],
    ["show {a,b} ~"],
    ["show é $é"],
    ["cd bin", "pwd", "./show here"],
    ["fails 4", "show never"],
    ["set +e", "fails 4", "show reached"],
    ["set -eu", "show $UNSET"],
    ["set -xv", "show a"],
    ["exit 9", "show never"],
    ["if true; then", "  show in", "else", "  show out", "fi", "show after"],
    ["for i in 1 2; do show $i; done", "while read line; do show \"$line\"; done", "show after"],
    ["case $TWO in", "  a*) show a ;;", "  (b|c) show b", "esac", "show after"],
    ["( cd bin; show a )", "{ show b; }", "show c | copy", "show d || show e", "! fails 1", "show after"],
    ["cat <<EOF", "it's $(show a) $TWO", "EOF", "show after"],
    ["cat <<'EOF' | copy", "$(unclosed 'quote", "EOF", "show after"],
    ["# it's a comment (", "show after # a comment", "", "show last"],
    ["show a \\", "  b", "show after"],
    ["show 'two", "lines' \"and", "more\"", "show after"],
    ["X=1", "export X", "Y='a b' show $X", "show $X"],
    ["command -v show", "\"$HOME/bin/show\" path", "show after"],
    ["exec 3>&1", "show to three >&3"],
    ["if [ -f input ]; then show found; fi", "test -d bin && show dir", "show after"],
]

STAYING = [
    (["show a; show b"], "the last line is more than one simple command"),
    (["show a;"], "the last line ends in `;`"),
    (["show a && show b"], "the last line is more than one simple command"),
    (["show a | copy"], "the last line is more than one simple command"),
    (["show a & wait"], "a line starts a background process"),
    (["( show a )"], "the last line is more than one simple command"),
    (["{ show a; }"], "the last line is more than one simple command"),
    (["show a # comment"], "the last line has a comment"),
    (["X=1 show $X"], "the last line begins with a variable assignment"),
    (["X=1"], "the last line begins with a variable assignment"),
    ([">out"], "the last line is only a redirection"),
    (["echo a"], "`echo` is a builtin or keyword of the shell"),
    (["[ -f input ]"], "`[` is a builtin or keyword of the shell"),
    (["! fails 1"], "the last line is more than one simple command"),
    (["exec show a"], "the last line runs `exec` itself"),
    (["$SHOW a"], "`$SHOW` may be any command, such as `eval`"),
    (["'show' a"], "`'show'` is not a plain command name"),
    (["sho\\w a"], "`sho\\w` is not a plain command name"),
    (["show a \\", "b"], "the last line belongs to a command that begins before it"),
    (["show a &&", "show b"], "the last line belongs to a command that begins before it"),
    (["show a |", "copy"], "the last line belongs to a command that begins before it"),
    (["fails 2 ||", "show b"], "the last line belongs to a command that begins before it"),
    (["show 'a", "show b'"], "the last line belongs to a command that begins before it"),
    (["cat <<EOF", "show a", "EOF"], "the last line belongs to a command that begins before it"),
    (["cat <<EOF", "show a"], "a here-document has no clear end"),
    (["if true; then", "show a", "fi"], "the last line belongs to a command that begins before it"),
    (["for i in 1 2", "do show $i", "done"], "the last line belongs to a command that begins before it"),
    (["{", "show a; }"], "the last line belongs to a command that begins before it"),
    (["(", "show a )"], "the last line belongs to a command that begins before it"),
    (["show() { echo no; }", "show a"], "a line defines a function"),
    (["show() (", "echo no )", "show a"], "a line defines a function"),
    (["alias show=echo", "show a"], "a line defines an alias"),
    (["trap 'echo bye' EXIT", "show a"], "a line sets a trap"),
    (["command trap 'echo bye' EXIT", "show a"], "a line sets a trap"),
    ([". ./lib.sh", "show a"], "a line sources a file"),
    (["eval 'show() { echo no; }'", "show a"], "a line calls `eval`"),
    (["$EVAL 'show() { echo no; }'", "show a"], "`$EVAL` may be any command, such as `eval`"),
    (["tr\\ap 'echo bye' 0", "show a"], "a line sets a trap"),
    (["if true; then trap 'echo bye' EXIT; fi", "show a"], "a line sets a trap"),
    (["sleep 0 &", "show a"], "a line starts a background process"),
    (["show a \\"], "the last line ends in a backslash"),
]


@pytest.mark.parametrize("lines", RUN_BY_EXEC, ids="; ".join)
def test_what_is_run_by_exec_does_the_same_without(lines, shell, place):
    result = made(command=lines)
    assert result.why_not is None
    assert "\nexec " in result.text
    assert run(shell, kubelet(result.text, environment(place)), place) == run(shell, intended([], lines), place)


@pytest.mark.parametrize(("lines", "reason"), STAYING, ids=["; ".join(lines) for lines, _ in STAYING])
def test_what_stays_is_the_text_of_the_user(lines, reason, shell, place):
    result = made(command=lines)
    assert (result.exec, result.why_not) == (False, reason)
    assert kubelet(result.text, environment(place)) == intended([], lines)
    assert run(shell, kubelet(result.text, environment(place)), place) == run(shell, intended([], lines), place)


@pytest.mark.parametrize(
    "lines",
    [
        ["show() { echo no; }", "show a"],
        ["trap 'echo bye' EXIT", "show a"],
        [". ./lib.sh", "show a"],
        ["$EVAL 'show() { echo no; }'", "show a"],
        ["show 'a", "show b'"],
        ["show a; show b"],
        ["X=1 show $X"],
        ["echo() { show \"$@\"; }", "echo a"],
    ],
    ids="; ".join,
)
def test_these_would_change_under_exec(lines, shell, place):
    """So that the comparison above is seen to be able to fail."""
    plain = intended([], lines)
    assert run(shell, with_exec(plain, True), place) != run(shell, plain, place)


def test_the_program_takes_the_place_of_the_shell(shell, place):
    result = made(["show setup"], ["pid"])
    with subprocess.Popen([*shell, "-c", result.text], cwd=place, env=environment(place), stdout=subprocess.PIPE, text=True) as process:
        output = process.communicate()[0]
    assert output.splitlines()[-1] == str(process.pid)


def test_the_program_gets_sigterm(shell, place):
    result = made(["show setup"], ["waits"])
    with subprocess.Popen([*shell, "-c", result.text], cwd=place, env=environment(place), stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline().startswith("show")
        assert process.stdout.readline() == "ready\n"
        started = time.monotonic()
        process.terminate()
        assert process.communicate(timeout=20)[0] == "got TERM\n"
    assert process.returncode == 7
    assert time.monotonic() - started < 15


@pytest.mark.parametrize(("base", "index", "rank"), [(0, "0", "0"), (3, "2", "5"), (1000, "24", "1024")])
def test_the_rank_is_the_base_of_the_task_plus_the_index(base, index, rank, shell, place):
    result = made(command=['printf "%s %s" "$AJ_NODE_RANK" "$(sh -c "echo \\$NODE_RANK")"'], base=base)
    text = kubelet(result.text, {"AJ_TASK_INDEX": index, "AJ_NODE_RANK": "wrong"})
    variables = environment(place) | {"AJ_TASK_INDEX": index}
    assert subprocess.check_output([*shell, "-c", text], env=variables, text=True) == f"{rank} {rank}"


def test_a_users_own_node_rank_is_kept(shell, place):
    result = made(command=["show"], set_node_rank=False)
    variables = environment(place) | {"NODE_RANK": "7"}
    assert subprocess.check_output([*shell, "-c", result.text], env=variables, text=True) == "show 7 0 []\n"


# Small random scripts

FRAGMENTS = r"""
show a
show 'b c'
show "$TWO" $EMPTY
fails 3
fails 3 || show ok
show a | copy
show a; show b
( show a; cd bin )
{ show a; }
if fails 1; then show yes; else show no; fi
if true; then
fi
else
for i in 1 2; do
show $i
done
case $TWO in
a*) show star ;;
*)
esac
cat <<EOF
EOF
cat <<'E'
E
# it's a comment
show a \
show a &&
show b ||
show |
copy
'
"
`
show $(show in)
show $(
)
(
{
}
show ${TWO:-x}
${TWO
X=1
X=1 show $X
set +e
set -u
set -m
trap 'echo bye' EXIT
tr''ap 'echo bye' 0
show() { echo no; }
show() {
f() { show f; }
f
alias show=echo
. ./lib.sh
command . ./lib.sh
eval 'show() { echo no; }'
$EVAL 'show() { echo no; }'
show x # comment
! fails 1
exit 5
show 'a
b'
show "c
d"
[ -f input ] && show file
[[ -f input ]] && show file
[[ $TWO =~ ^(a|b) ]]
((1 + 1))
show $((1 + 2))
show a >out
cat out
show a\
a=(1 2)
a=(1
2)
show $'a\'b'
show \'
true &&
export X=2
exec 3>&1
show x >&3
cd bin
unset TWO
PATH=$PATH:.
wait
"""[1:-1].split("\n")
LAST = r"""
show last
  show last
show 'last one' >&2
copy <input
show $X $TWO
show last)
show last'
fails 6
show $(show in)
show }
"""[1:-1].split("\n")


@given(st.lists(st.sampled_from(FRAGMENTS), max_size=6), st.sampled_from(LAST))
@settings(max_examples=250, deadline=None)
def test_random_scripts_do_the_same_with_and_without_exec(place, before, last):
    result = made(command=[*before, last])
    if not result.exec:
        return
    for shell in filter(shutil.which, ("dash", "bash")):
        assert unordered(run([shell], kubelet(result.text, environment(place)), place)) == (
            unordered(run([shell], intended([], [*before, last]), place))
        )


def unordered(outcome):
    """An outcome without the order in which the members of a pipeline happened to complain."""
    stdout, stderr, status = outcome
    return stdout, sorted(stderr), status
