"""`--quiet` and `--verbose`: less than a report, and how it came to be."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tests.cli.conftest import Result
from tests.cli.scripts import BROKEN, CLEAN, DEPRECATED

Lint = Callable[..., Result]


def test_quiet_is_the_report_without_what_is_said_about_all_of_it(project: Path, lint: Lint) -> None:
    (project / "old.py").write_text(DEPRECATED, encoding="utf-8")
    (project / "broken.py").write_text(BROKEN, encoding="utf-8")
    whole, quiet = lint(), lint("-q")
    assert quiet.code == whole.code == 2
    assert whole.out.startswith(quiet.out)
    assert quiet.out.count("AOTI201") == 1
    assert quiet.out.count("AOTI002") == 1
    assert whole.out.removeprefix(quiet.out).startswith("Found 1 warning and 1 file that could not be read.\n")
    assert quiet.err == ""
    assert lint("--quiet", "--statistics").out.endswith("    1  AOTI201  deprecated-aot-api\n\n")


def test_quiet_about_nothing_says_nothing(project: Path, lint: Lint) -> None:
    (project / "clean.py").write_text(CLEAN, encoding="utf-8")
    assert lint("--quiet") == (0, "", "")


def test_quiet_leaves_other_formats_as_they_are(project: Path, lint: Lint) -> None:
    (project / "old.py").write_text(DEPRECATED, encoding="utf-8")
    for form in ("json", "concise"):
        assert lint("-q", "--output-format", form) == lint("--output-format", form)


def test_verbose_cuts_no_list(project: Path, lint: Lint) -> None:
    for number in range(9):
        (project / f"{number}.txt").touch()
    named = [f"{number}.txt" for number in range(9)]
    assert "Skipped 4 more; --verbose lists them.\n" in lint(*named).out
    assert lint(*named, "--verbose").out.count("Skipped ") == 9


def test_verbose_says_where_all_comes_from(project: Path, lint: Lint) -> None:
    (project / "old.py").write_text(DEPRECATED, encoding="utf-8")
    plain = lint()
    verbose = lint("-v")
    assert (verbose.code, verbose.out) == (plain.code, plain.out)
    first = verbose.err.splitlines()
    assert first[:3] == [
        f"aoti-lint: project root: {project}",
        "aoti-lint: configuration: none",
        "aoti-lint: torch: 2.13 (pyproject.toml)",
    ]
    assert first[3].endswith("; no statement has changed since the last such run, so its report is told again")
    lint("--baseline", "b.jsonl", "--write-baseline")
    (project / "aoti-lint.toml").write_text('baseline = "b.jsonl"\ntorch-version = "2.12"\n', encoding="utf-8")
    again = lint("-v", "--output-format", "json").err.splitlines()
    assert again[1:4] == [
        "aoti-lint: configuration: aoti-lint.toml",
        "aoti-lint: torch: 2.12 (aoti-lint.toml)",
        "aoti-lint: baseline: b.jsonl, 1 finding",
    ]
    assert again[4].endswith("; what has changed since the last run was analysed")
    assert lint("-v", "--no-cache").err.endswith("aoti-lint: cache: not used\n")


def test_one_of_the_two(project: Path, lint: Lint) -> None:
    result = lint("-q", "-v")
    assert result.code == 2
    assert "not allowed with argument" in result.err
