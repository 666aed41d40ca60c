"""The arithmetic and the tables of the benchmark; how fast anything is, is not tested."""

import sys
from pathlib import Path

import pytest

from benchmarks import trees
from benchmarks.measure import Aim, Command, Failed, Row, Sample, environment, in_turn, ratio, run, scaled
from benchmarks.table import document, number, table


def row(*seconds: float, job: str = "a job", tool: str = "a tool") -> Row:
    return Row(job, tool, [Sample(cpu, 10 * cpu) for cpu in seconds])


def test_the_ratio_is_the_median_of_pairs() -> None:
    # The machine slowed down while the last pair ran; the medians of each side alone would say 2.
    assert ratio(row(1, 2, 30).samples, row(2, 4, 10).samples) == 0.5


def test_sides_that_ran_unequally_often_are_compared_by_their_medians() -> None:
    assert ratio(row(1, 3, 2).samples, row(40).samples) == 1 / 20


def test_a_part_is_scaled_without_its_start_up() -> None:
    whole = scaled(row(3, 5), row(1), factor=10)
    assert [sample.cpu for sample in whole.samples] == [21, 41]
    assert whole.factor == 10
    assert whole.peak_mib == 50


def test_an_aim_that_is_just_reached_is_met() -> None:
    assert Aim("", row(1), row(2), 0.5).met
    assert not Aim("", row(1.01), row(2), 0.5).met


def test_small_ratios_are_shown_as_fractions() -> None:
    assert [number(value) for value in (0.04, 0.1, 0.5, 3)] == ["1/25.0", "1/10.0", "0.50", "3.00"]


def test_the_table_says_what_was_scaled_and_what_was_missed() -> None:
    ours, theirs = row(1, job="a tree", tool="ours"), scaled(row(11, job="a tree", tool="theirs"), row(1), 2)
    lines = list(table([ours, theirs], [Aim("to theirs", ours, theirs, 1 / 25), Aim("again", ours, theirs, 1 / 2)]))
    assert lines == [
        "job     tool     CPU s  runs  peak MiB",
        "a tree  ours     1.000     1        10",
        "a tree  theirs  21.000     1       110  scaled by bytes, × 2.0",
        "",
        "ratio of CPU seconds      is        aim",
        "to theirs             1/21.0  <= 1/25.0  MISSED",
        "again                 1/21.0    <= 0.50  met",
    ]


def test_the_document_holds_samples_and_ratios() -> None:
    ours, theirs = row(1, 2, 3), row(4, 4, 4)
    found = document([ours], [Aim("a ratio", ours, theirs, 0.5)], tools={"ruff": "1"}, inputs={"files": 2})
    assert found["rows"] == [
        {"job": "a job", "tool": "a tool", "cpu_seconds": 2, "samples": [1, 2, 3], "peak_mib": 30, "scaled_by": 1.0}
    ]
    assert found["ratios"] == [{"name": "a ratio", "ratio": 0.5, "aim": 0.5, "met": True}]
    assert (found["tools"], found["inputs"]) == ({"ruff": "1"}, {"files": 2})


def test_tools_run_in_turn_after_a_turn_that_does_not_count(tmp_path: Path) -> None:
    log = tmp_path / "log"

    def noting(word: str) -> Command:
        write = f"open({str(log)!r}, 'a').write({word!r})"
        return Command([sys.executable, "-c", write], before=lambda: log.open("a").write("-"))

    rows = in_turn({"a": noting("a"), "b": noting("b")}, "a job", 2)
    assert log.read_text() == "-a-b-a-b-a-b"
    assert [(one.job, one.tool, len(one.samples)) for one in rows.values()] == [("a job", "a", 2), ("a job", "b", 2)]


@pytest.mark.parametrize("code", ["raise SystemExit(3)", "raise ValueError"])
def test_a_command_that_fails_is_not_measured(code: str) -> None:
    with pytest.raises(Failed, match=r"exit code [13]"):
        run(Command([sys.executable, "-c", code], ok=(0, 1)))


def test_memory_is_that_of_the_process() -> None:
    assert run(Command([sys.executable, "-c", "bytearray(b'1' * 300_000_000)"])).peak_mib > 280


def test_commands_do_not_see_what_points_python_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", "/elsewhere")
    monkeypatch.setenv("KEPT", "1")
    assert "PYTHONPATH" not in environment()
    assert environment()["KEPT"] == "1"


def test_a_sample_is_every_so_many_th_file_by_size(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    (tree / "inner").mkdir(parents=True)
    for length in range(12):
        (tree / ("inner" if length % 2 else "") / f"m{length}.py").write_text("#" * length)
    (tree / "data.txt").write_text("not Python")
    part = trees.sample(tree, tmp_path / "part", 4)
    assert {path.relative_to(part).as_posix() for path in trees.python_files(part)} == {"m2.py", "m6.py", "m10.py"}
    assert (trees.size(part), trees.size(tree)) == (18, 66)
