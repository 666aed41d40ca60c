"""Shell scripts: what is exported when a Python script is started."""

from __future__ import annotations

import pytest

from aoti_lint.text.problem import SourceProblem
from tests.source.settings.reading import assignments, places, read, starts


def sh(text: str) -> list[tuple[str, dict[str, str | None]]]:
    return starts("run.sh", text)


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("A=1", "1"), ("A=", ""), ("A='x y'", "x y"), ('A="x y"', "x y"), ("A=x\\ y", "x y"), ("A='a'\"b\"c", "abc"),
        ('A="\\$x \\" \\n"', '$x " \\n'), ("A=$'x'", "x"), ("A=$'x\\n'", None), ("A=~/x", None), ("A=$(date)", None),
        ("A=`date`", None), ("A=$B", None), ("A=${B:-1}", None), ("A=$((1 + 1))", None), ("A=\"x $B\"", None),
        ("A=é", "é"), ("A=a,b:c=d", "a,b:c=d"), ('A="one\n two"', "one\n two"), ("A=+dynamic", "+dynamic"),
    ],
)  # fmt: skip
def test_a_variable_in_front_of_a_command(line: str, value: str | None) -> None:
    assert sh(f"{line} python x.py\n") == [("x.py", {"A": value})]


def test_the_place_is_that_of_the_assignment() -> None:
    text = "# é\nexport B='é'\nA=1 python é.py\n"
    assert places(read("run.sh", text), text) == ["B='é'", "A=1"]


def test_only_what_is_exported_before_counts() -> None:
    text = "A=1\nexport B=2 C\nC=3\nD=4\nexport D\npython x.py\nexport E=5\npython y.py\nexport F=6\n"
    assert sh(text) == [
        ("x.py", {"B": "2", "D": "4"}),
        ("y.py", {"B": "2", "D": "4", "E": "5"}),
    ]
    assert ("F", "6", None) in assignments("run.sh", text)
    assert ("E", "5", None) not in assignments("run.sh", text)


def test_a_variable_is_changed_and_taken_away() -> None:
    assert sh("export A=1 B=1\nA=2\nunset B\npython x.py\n") == [("x.py", {"A": "2"})]
    assert sh("export A=1\nexport -n A\npython x.py\n") == [("x.py", {})]
    assert sh("export A=1\nA+=2\nexport B=$A\npython x.py\n") == [("x.py", {"A": "12", "B": "12"})]
    assert sh("declare -x A=1\ndeclare B=1\nreadonly C=1\npython x.py\n") == [("x.py", {"A": "1"})]


@pytest.mark.parametrize("option", ["-a", "-ea", "-o allexport"])
def test_set_a_exports_everything(option: str) -> None:
    assert sh(f"set {option}\nA=1\nset +{option[1:]}\nB=1\npython x.py\n") == [("x.py", {"A": "1"})]


def test_a_row_of_assignments_belongs_to_no_command_on_the_next() -> None:
    assert sh("A=1 B=2\npython x.py\n") == [("x.py", {})]
    assert sh("A=1 \\\n  B=2 python x.py\n") == [("x.py", {"A": "1", "B": "2"})]


def test_comments_and_heredocs_do_not_count() -> None:
    text = "# export A=1\ncat > f <<EOF\nexport B=1\nEOF\ncat <<'EOF'\nexport C=1\nEOF\necho export D=1\npython x.py\n"
    assert sh(text) == [("x.py", {})]
    assert assignments("run.sh", text) == []


@pytest.mark.parametrize(
    "text",
    [
        "if true; then export A=1; fi", "case $1 in a) export A=1;; esac", "for i in 1 2; do export A=1; done",
        "while x; do export A=1; done", "[ -z $X ] && export A=1", "x || export A=1", "f() { export A=1; }\n$1",
        "export A=1\nif x; then unset A; fi", "export A=1\nif x; then A=2; else A=3; fi", "export A=1\nsource env.sh",
        "export A=1\neval $X",
    ],
)  # fmt: skip
def test_what_may_not_be_reached_is_not_certain(text: str) -> None:
    assert sh(f"{text}\npython x.py\n") == [("x.py", {})]
    found = [made for made in read("run.sh", f"{text}\npython x.py\n").assignments if made.name == "A"]
    assert found
    assert any(made.conditional for made in found)


def test_inside_a_branch_its_own_assignments_hold() -> None:
    text = (
        "if x; then\n export A=1\n python x.py\nelse\n export A=2\n python y.py\nfi\nx && export B=1 && python z.py\n"
    )
    assert sh(text) == [("x.py", {"A": "1"}), ("y.py", {"A": "2"}), ("z.py", {"B": "1"})]


def test_a_loop_comes_back_to_its_start() -> None:
    assert sh("export A=1\nfor i in 1 2; do python x.py; export A=2; done\n") == [("x.py", {"A": "1"}), ("x.py", {})]
    assert sh("for d in cpu cuda; do DEVICE=$d python x.py; done\n") == [("x.py", {"DEVICE": None})] * 2


def test_subshells_and_pipelines_keep_what_they_set() -> None:
    assert sh("(export A=1; python x.py)\nexport B=1 | cat\npython y.py\n") == [("x.py", {"A": "1"}), ("y.py", {})]


def test_functions_run_where_they_are_called() -> None:
    text = "f() { python x.py; export B=1; }\nexport A=1\nf\nC=1 f\npython y.py\n"
    assert sh(text) == [
        ("x.py", {"A": "1"}),
        ("x.py", {"A": "1", "B": "1", "C": "1"}),
        ("y.py", {"A": "1", "B": "1"}),
    ]
    assert sh("f() { f; python x.py; }\nf\n")
    assert sh("f() { python x.py; }\n") == [("x.py", {})]


@pytest.mark.parametrize(
    ("command", "script", "variables"),
    [
        ("python3.11 -u -X dev -W ignore x.py --y z.py", "x.py", {"E": "1"}),
        ("/usr/bin/python x.py", "x.py", {"E": "1"}),
        ("python -m pkg.mod", "-m pkg.mod", {"E": "1"}),
        ("./x.py", "./x.py", {"E": "1"}),
        ("env A=1 B= python x.py", "x.py", {"E": "1", "A": "1", "B": ""}),
        ("env -i A=1 python x.py", "x.py", {"A": "1"}),
        ("env -u E python x.py", "x.py", {}),
        ("sudo A=1 python x.py", "x.py", {"A": "1"}),
        ("sudo -E python x.py", "x.py", {"E": "1"}),
        ("nohup timeout -k 5 10 nice -n 5 python x.py", "x.py", {"E": "1"}),
        ("nohup env A=1 python x.py", "x.py", {"E": "1", "A": "1"}),
        ("torchrun --nproc-per-node 2 x.py --a b.py", "x.py", {"E": "1"}),
        ("torchrun -m pkg.mod", "-m pkg.mod", {"E": "1"}),
        ("python -m torch.distributed.run --nnodes=1 x.py", "x.py", {"E": "1"}),
        ("accelerate launch x.py", "x.py", {"E": "1"}),
        ("uv run --with a python x.py", "x.py", {"E": "1"}),
        ("uv run x.py", "x.py", {"E": "1"}),
        ("CUDA_VISIBLE_DEVICES=0 python x.py", "x.py", {"E": "1", "CUDA_VISIBLE_DEVICES": "0"}),
        ("docker run --rm -e A=1 -eB=2 --env=C=3 -e D image python x.py", "x.py", {"A": "1", "B": "2", "C": "3"}),
        ("bash -c 'A=1 python x.py'", "x.py", {"E": "1", "A": "1"}),
        ("$PYTHON x.py", "x.py", {"E": "1"}),
        ("${PYTHON:-python} x.py", "x.py", {"E": "1"}),
        ("PY='python -u'\n$PY x.py", "x.py", {"E": "1"}),
        ("exec python x.py > log 2>&1", "x.py", {"E": "1"}),
        ("python x.py &", "x.py", {"E": "1"}),
        ("! python x.py", "x.py", {"E": "1"}),
        ("cd src && python x.py", "src/x.py", {"E": "1"}),
        ("cd src; cd ..; python x.py", "x.py", {"E": "1"}),
        ('cd "$(dirname "$0")"; python x.py', "x.py", {"E": "1"}),
        ("cd /app; python x.py", "/app/x.py", {"E": "1"}),
        ('cd /app; python "$(dirname "$0")/x.py"', "x.py", {"E": "1"}),
        ('D="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"\npython "$D/sub/x.py"', "sub/x.py", {"E": "1"}),
        (
            'D=$(cd -- "$(dirname -- "$0")/.." &> /dev/null && pwd -P)\ncd "$D/src"; python x.py',
            "../src/x.py",
            {"E": "1"},
        ),
        ('python "${0%/*}/x.py"', "x.py", {"E": "1"}),
        ('A=$(dirname "$(readlink -f "$0")")/y python x.py', "x.py", {"E": "1", "A": None}),
        ("time A=1 python x.py", "x.py", {"E": "1", "A": "1"}),
    ],
)
def test_commands(command: str, script: str, variables: dict[str, str]) -> None:
    assert sh(f"export E=1\n{command}\n") == [(script, variables)]


@pytest.mark.parametrize(
    "command",
    ["echo python x.py", "python -c 'print(1)' x.py", "python", "python -", "cat x.py", "pip install x",
     "docker build .", "python \"$X\"", "bash other.sh", "grep -r python x.py"],
)  # fmt: skip
def test_what_starts_no_script_that_is_known(command: str) -> None:
    assert sh(f"export E=1\n{command}\n") == []


def test_a_script_by_its_first_line_alone() -> None:
    assert starts("entrypoint", "#!/usr/bin/env bash\nA=1 python x.py\n") == [("x.py", {"A": "1"})]


def test_windows_newlines_and_a_byte_order_mark() -> None:
    found = read("run.sh", "\ufeffexport A=1\r\npython x.py\r\n".encode())
    assert [start.command for start in found.starts] == ["x.py"]
    assert found.starts[0].variables["A"].value == "1"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"if [ x\n", "from here on this is not understood as shell"),
        (b"export A=1\nif x; then\n echo\n", "not understood as shell"),
        (b'echo "x\npython x.py\n', "not understood as shell"),
        (b"f() {\n echo\n", "not understood as shell"),
        (b"echo \xff\n", "not valid utf-8: byte 0xff in line 1"),
        (b"echo\n\0\n", "line 2 holds a null character, which does not belong in a shell script"),
        ("echo".encode("utf-16"), "the file is UTF-16, which does not belong in a shell script"),
        (b"#" * (3 << 20), "a shell script of more than 2048 KiB is not read"),
    ],
)
def test_what_cannot_be_read_is_said(data: bytes, message: str) -> None:
    with pytest.raises(SourceProblem, match=message):
        read("run.sh", data)


@pytest.mark.parametrize("gap", ["a && && b", ")", "for i do echo; done"])
def test_after_a_place_that_is_not_understood_nothing_is_certain(gap: str) -> None:
    text = f"export A=1\n{gap}\nB=1 python x.py\n"
    assert sh(text) == [("x.py", {})]
    found = read("run.sh", text)
    assert {(made.name, made.value, made.command, made.conditional) for made in found.assignments} == {
        ("A", "1", "x.py", True), ("B", "1", "x.py", True),
    }  # fmt: skip
    assert found.gaps


def test_deep_and_endless_scripts_end() -> None:
    with pytest.raises(SourceProblem, match="nested too deeply"):
        read("run.sh", "{ " * 3000 + "a; " + "}; " * 3000)
    loops = "for i in 1; do " * 40 + "python x.py" + "; done" * 40
    assert read("run.sh", loops).starts
    calls = "".join(f"f{i}() {{ f{i + 1}; f{i + 1}; }}\n" for i in range(40))
    read("run.sh", f"{calls}f0\n")
