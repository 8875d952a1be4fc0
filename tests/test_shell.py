"""What may be run by `exec`, case by case. That it then changes nothing is shown in test_script.py."""
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hetc.shell import exec_refusal

ACCEPTED = [
    ["show"],
    ["./train.sh a", "/usr/bin/python3.11 x"],
    ["show\ta"],
    ["torchrun --nproc-per-node=$AJ_GPUS_PER_NODE --rdzv-endpoint=\"$MASTER_ADDR:$MASTER_PORT\" train.py 2>&1"],
    ["set -Eeuo pipefail", "set -- a b; set x", "set -o xtrace +e", "show"],
    ["a=(1", "2 # )", "'3)' )", 'show "${a[@]}"'],
    ["show ${X//\\//_} ${#X} ${X:-${Y}} ${X:-$(show)} $$ $! $1"],
    ["show $'a\\n' $\"b\""],
    ["show $((1+(2*3)))"],
    ["[[ $a =~ ^(x|y)$ && -n $b ]] && show c", "show a"],
    ['"$X/bin/show" a', "~/x", "./a*/b", "show a"],
    ["command -v show", "time -p show", "builtin cd x", "exec 2>&1", "show"],
    ["case $x in (a|b) show a;; c) ;& d) show;;& *) show b; esac", "show c"],
    ["for x do show $x; done", "for x", "in a b # c", "do show; done", "show"],
    ["while show a; do break; done; until a; do b; done", "show"],
    ["if a; then b; elif c; then d; else e; fi >out 2>&1", "show"],
    ["{ a; } | ( b ) && ! c", "show"],
    ["x=$(cat <<E", "trap", "E", "echo EOF)", "show a"],
    ["cat <<A <<-'B' && show x", "trap x EXIT", "A", "\tB", "show"],
    ["cat <<E | (", "(", "E", "copy )", "show"],
    ["x=1 y=$(show) z=`show a # b` a[0]=1 a[1]+=2", "show"],
    ["env eval trap alias .", "pip install .", "show eval trap ."],
    ["show a 2>&- <&0 3<>x >|y"],
    ["cat <<< x"],
    ["show '`' \"'\" '\"' \\' \\\" a#b"],
]

REFUSED = [
    (["show <(echo a)"], "a line starts a background process"),
    (["x=$(show &)", "show"], "a line starts a background process"),
    (["( show & )", "show"], "a line starts a background process"),
    (["show a &>out"], "a line starts a background process"),
    (["coproc show", "show a"], "a line starts a background process"),
    (["show >&out"], "`>&` without a number is not understood alike by all shells"),
    (["set -m", "show a"], "`set -m` may change how commands run"),
    (["set -eo monitor", "show a"], "`set -o monitor` may change how commands run"),
    (["set $X", "show a"], "`set $X` may turn on any option"),
    (["function show { :; }", "show a"], "a line defines a function"),
    (["show ()", "{ :; }", "show a"], "a line defines a function"),
    (["((x=1))", "show a"], "`((` is not understood alike by all shells"),
    (["for ((i=0;i<2;i++)); do :; done", "show a"], "`(` is unexpected"),
    (["select x in a; do break; done", "show a"], "a line uses `select`"),
    (["cat <<$X", "$X", "show a"], "the delimiter of a here-document is not plain"),
    (["x=$(cat <<E", "E)", "E", ")", "show a"], "a here-document has no clear end"),
    (["x=$(cat <<E)", "E", "show a"], "a here-document has no clear end"),
    (["cat <<E", "a\\", "E", "show"], "a line of a here-document ends in a backslash"),
    (["cat <<E", "$(trap x EXIT)", "E", "show"], "a line sets a trap"),
    (["cat <<E; a=(1", "E", "2)", "show"], "an array stands in the line that a here-document begins on"),
    (["cat <<E 'a", "b'", "E", "show"], "a word goes over the line that a here-document begins on"),
    (["show ${X:-'a'}"], "`'` inside `${…}` is not understood alike by all shells"),
    (["show ${X:-a\\}b}"], "`\\` inside `${…}` is not understood alike by all shells"),
    (["show ${X:-<(a)}"], "`<` inside `${…}` is not understood alike by all shells"),
    (["show ${X", "}"], "`${` has no end in its line"),
    (["show ${ show; }"], "`${` is not followed by a name"),
    (["show $'a\\'b'"], "`\\'` inside `$'…'` is not understood alike by all shells"),
    (["show `echo \\`"], "a quote inside backquotes is not understood alike by all shells"),
    (['show "`echo "a"`"'], "a quote inside backquotes is not understood alike by all shells"),
    (["show `a"], "a backquote has no end"),
    (["show 'a"], "a quote has no end"),
    (['show "a'], "a quote has no end"),
    (["show $((1)+(2))"], "`)` is missing"),
    (["show $(( 'x' ))"], "`$((` has no clear end"),
    (["show $[1+1]"], "`$[` is not understood"),
    (["show {fd}>out"], "`{fd}>` is not understood"),
    (["a; \\", "show b"], "the line before the last one ends in a backslash"),
    (["show\\", "x"], "a line is continued inside a word"),
    (["show a", "# done"], "the last line is a comment"),
    (["time show a"], "`time` is a builtin or keyword of the shell"),
    (["[[ -f x ]]"], "the last line is more than one simple command"),
    (["[[ -f x ||", "-f y ]]", "show a"], "`[[` has no clear end"),
    (['"$X" a', "show a"], '`"$X"` may be any command, such as `eval`'),
    (["$X/bin/show a", "show a"], "`$X/bin/show` may be any command, such as `eval`"),
    (['"$@/x"', "show a"], '`"$@/x"` may be any command, such as `eval`'),
    (["sho* x", "show"], "`sho*` may be any command, such as `eval`"),
    (["{show,/a}", "show b"], "`{show,/a}` may be any command, such as `eval`"),
    (['command "$X" a', "show"], '`"$X"` may be any command, such as `eval`'),
    (["BASH_ALIASES[show]=x", "show"], "a line sets `BASH_ALIASES[show]=x`"),
    (["show a|&copy", "show b"], "`|&` is not understood alike by all shells"),
    (["-x a"], "`-x` is not a plain command name"),
    (["show\r"], "`show?` is not a plain command name"),
    (["a" * 50 + "é"], f"`{'a' * 39}…` is not a plain command name"),
    (["show a;;"], "`;` is unexpected"),
    (["show )"], "`)` is unexpected"),
    (["fi", "show"], "`fi` stands where a command is expected"),
    (["if a; then b", "show"], "`fi` is missing"),
    (["{ a; } b", "show"], "`b` is unexpected"),
    (["{ a; } 'b'", "show"], "`'` is unexpected"),
    (["show ||"], "a command is not complete"),
    (["builtin eval x", "show"], "a line calls `eval`"),
    (["time -p X=1 eval y", "show"], "a line calls `eval`"),
    (["X=1 >out eval y", "show"], "a line calls `eval`"),
    (['e"v\\', 'a"l y', "show"], "a line calls `eval`"),
    (['show "$(eval x)"'], "a line calls `eval`"),
    (["show `eval x`"], "a line calls `eval`"),
    (["show ${X:-$(eval x)}"], "a line calls `eval`"),
    (["show $((1 + $(eval x)))"], "a line calls `eval`"),
    (["a || eval x", "show"], "a line calls `eval`"),
    (["case a in b) eval x; esac", "show"], "a line calls `eval`"),
    (["X=$(trap x EXIT)", "show"], "a line sets a trap"),
    (["enable -n echo", "show"], "a line changes the builtins of the shell"),
    (["show " + "$(" * 50 + ")" * 50], "commands are nested too deeply"),
    (["show " + "${x:-" * 9000 + "}" * 9000], "commands are nested too deeply"),
    (["a=(" * 9000, "show"], "commands are nested too deeply"),
    (["{ " * 9000, "show"], "commands are nested too deeply"),
    ([">out"], "the last line is only a redirection"),
    ([""], "the last line is empty"),
]


@pytest.mark.parametrize("lines", ACCEPTED, ids="; ".join)
def test_accepted(lines):
    assert exec_refusal("\n".join(lines)) is None


@pytest.mark.parametrize(("lines", "reason"), REFUSED, ids=["; ".join(lines)[:60] for lines, _ in REFUSED])
def test_refused(lines, reason):
    assert exec_refusal("\n".join(lines)) == reason


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
def test_every_builtin_and_keyword_of_bash_is_known():
    names = subprocess.check_output(["bash", "-c", "compgen -bk"], text=True).split()
    assert len(names) > 50
    assert [name for name in names if exec_refusal(f"{name} x") is None] == []


@pytest.mark.parametrize("shell", [["/bin/sh"], ["dash"], ["bash"], ["busybox", "sh"]], ids=" ".join)
def test_no_program_that_is_also_a_builtin_is_taken_for_a_program(shell):
    if shutil.which(shell[0]) is None:
        pytest.skip(f"{shell[0]} is not installed")
    folders = [Path(folder) for folder in os.defpath.split(":") if folder]
    names = sorted({path.name for folder in folders if folder.is_dir() for path in folder.iterdir()} | {"cd", "trap", "local"})
    said = subprocess.run([*shell, "-c", 'for name do type "$name"; done', "sh", *names], capture_output=True, text=True, check=False)
    inner = [line.split()[0] for line in said.stdout.splitlines() if "builtin" in line or "keyword" in line]
    assert {"cd", "trap", "local"} <= set(inner)
    assert [name for name in inner if exec_refusal(f"{name} x") is None] == []


TOKENS = [*"'\"\\`$(){}[];|&<>#=! \n\tax", "$(", "${", "<<E", "\nE\n", "if ", "case ", "in ", "$((", "))"]


@given(st.lists(st.sampled_from(TOKENS), max_size=30))
@settings(max_examples=300, deadline=None)
def test_any_text_is_judged(pieces):
    reason = exec_refusal("".join(pieces))
    assert reason is None or (reason and reason.isprintable() and not reason.endswith("."))
