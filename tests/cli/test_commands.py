"""`explain`, `schema`, and how output reaches a terminal."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from aoti_lint.catalogue.registry import load
from aoti_lint.config import Config
from aoti_lint.report.check.json_v1 import schema
from tests.cli.conftest import Result
from tests.cli.scripts import DEPRECATED

Lint = Callable[..., Result]
PROJECT = Path(__file__).parents[2]


def test_schema(lint: Lint) -> None:
    result = lint("schema")
    assert (result.code, result.err) == (0, "")
    assert json.loads(result.out) == schema()


def test_explain_lists_all_rules(lint: Lint) -> None:
    result = lint("explain")
    assert result.code == 0
    assert [line.split()[:2] for line in result.out.splitlines()] == [[rule.code, rule.name] for rule in load()]


def test_explain_a_rule_by_code_or_name(lint: Lint) -> None:
    page = lint("explain", "AOTI001").out
    first = "AOTI001 unused-suppression (warning; no effect)\n\nA suppression comment suppresses nothing.\n"
    assert page.startswith(first)
    assert page.endswith("\nTo accept a finding: # aoti-lint: ignore[AOTI001]\n")
    assert lint("explain", "unused-suppression", "AOTI001").out == page


def test_explain_all(lint: Lint) -> None:
    pages = lint("explain", "all").out
    assert all(f"{rule.code} {rule.name} (" in pages for rule in load())


def test_explain_an_unknown_rule(lint: Lint) -> None:
    result = lint("explain", "unused-supression")
    assert (result.code, result.out) == (2, "")
    assert result.err == (
        "aoti-lint: error: there is no rule and no known name of torch 'unused-supression'; "
        "did you mean 'unused-suppression'?\n"
    )


@pytest.mark.parametrize(
    ("message", "cause", "rule"),
    [
        ('Constraints violated (length)! For more information, run with TORCH_LOGS="+dynamic".',
         "constraints-violated", "AOTI315"),
        ("mat1 and mat2 must have the same dtype, but got Double and Float", "dtypes-mixed", "AOTI331"),
        ("expected scalar type Float but found Double", "dtypes-mixed", "AOTI331"),
    ],
)  # fmt: skip
def test_explain_a_message_without_its_traceback(message: str, cause: str, rule: str, lint: Lint) -> None:
    page = lint("explain", message).out
    assert f"(cause {cause} of `aoti-lint triage`)" in page
    assert f"{rule} " in page


def test_explain_a_name_of_torch(lint: Lint) -> None:
    page = lint("explain", "torch_logs").out
    assert page.startswith("TORCH_LOGS (environment variable; every supported torch)\n\nSays which parts of torch log")
    assert "\nRead: when torch is imported. Set it in the shell" in page
    assert lint("explain", "AOTI001", "TORCH_LOGS=+dynamic").out == f"{lint('explain', 'AOTI001').out}\n{page}"


def test_explain_the_beginning_of_codes_is_a_line_each(lint: Lint) -> None:
    family = [rule for rule in load() if rule.code.startswith("AOTI3")]
    *lines, blank, more = lint("explain", "aoti3").out.splitlines()
    assert [line.split()[:2] for line in lines] == [[rule.code, rule.name] for rule in family]
    assert (blank, more) == ("", f"More about one of them: aoti-lint explain {family[0].code}")
    assert lint("explain", "AOTI001", "AOTI3").out.startswith(lint("explain", "AOTI001").out + "\nAOTI301 ")


@pytest.mark.parametrize(
    ("word", "names"),
    [
        ("torch-version", ["torch-version"]), ("torch_version", ["torch-version"]), ("max-size", ["package.max-size"]),
        ("device", ["target.device", "package.device"]),
        ("target", ["target.device", "target.platform", "target.machine", "target.cpu-isa",
                    "target.compute-capability"]),
    ],
)  # fmt: skip
def test_explain_a_setting(word: str, names: list[str], lint: Lint) -> None:
    told = json.loads(lint("explain", word, "--output-format", "json").out)["entries"]
    assert [(one["kind"], one["name"]) for one in told] == [("setting", name) for name in names]
    assert lint("explain", word).out.startswith(f"{names[0]} (setting of aoti-lint)\n\n{told[0]['does']}\n")


def test_explain_says_where_a_setting_is_written_and_which_option_it_has(lint: Lint) -> None:
    page = lint("explain", "torch-version").out
    assert "\nWritten as: `torch-version = …` in aoti-lint.toml, or under [tool.aoti-lint] in pyproject.toml\n" in page
    assert "\nOption: --torch-version VERSIONS: judge for these versions of torch" in page
    for name in {*Config.__slots__} - {"path"}:
        assert lint("explain", name).code == 0


def test_explain_suggests_names_of_torch(lint: Lint) -> None:
    result = lint("explain", "TORCH_LOG")
    assert (result.code, result.out) == (2, "")
    assert result.err == (
        "aoti-lint: error: there is no rule and no known name of torch 'TORCH_LOG'; did you mean 'TORCH_LOGS'?\n"
    )


def run(folder: Path, *words: str, **variables: str) -> str:
    """The output of the command in a process of its own."""
    kept = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR")}
    command = [sys.executable, "-m", "aoti_lint", *words]
    environment = {**kept, "PYTHONPATH": str(PROJECT), "PYTHONIOENCODING": "utf-8", **variables}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, encoding="utf-8")
    assert done.stderr == ""
    return done.stdout


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "script.py").write_text(DEPRECATED.replace("path", "pfad_ä"), encoding="utf-8")
    (tmp_path / "setup.cfg").touch()
    return tmp_path


def test_colour_only_where_it_is_wanted(folder: Path) -> None:
    plain = run(folder, "script.py")
    assert "\x1b" not in plain
    coloured = run(folder, "script.py", FORCE_COLOR="1")
    assert "\x1b[1;33mwarning[AOTI201]" in coloured
    assert run(folder, "script.py", FORCE_COLOR="1", NO_COLOR="1") == plain


def test_colour_as_it_is_asked_for(folder: Path) -> None:
    plain, coloured = run(folder, "script.py"), run(folder, "script.py", FORCE_COLOR="1")
    assert run(folder, "script.py", "--color", "always") == coloured
    assert run(folder, "script.py", "--color", "never", FORCE_COLOR="1") == plain
    # The option is nearer than the environment; a dumb terminal has the eight colours.
    assert run(folder, "script.py", "--color", "always", NO_COLOR="1") == coloured
    assert "\x1b[1;33mwarning" in run(folder, "script.py", "--color", "always", TERM="dumb")
    assert run(folder, "script.py", "--color", "auto") == plain
    assert run(folder, "script.py", "--color", "always", "--output-file", "report.txt") == ""
    assert (folder / "report.txt").read_text(encoding="utf-8") == plain


def test_colour_changes_nothing_but_colour(folder: Path) -> None:
    import re

    coloured = run(folder, "script.py", FORCE_COLOR="1", COLUMNS="40")
    text = re.sub(r"\x1b\[[\d;]*m", "", coloured)
    assert [line.rstrip() for line in text.splitlines()] == run(folder, "script.py").splitlines()


def test_an_encoding_that_lacks_a_character_does_not_stop_the_report(folder: Path) -> None:
    assert "3 | pfad_\\xe4 = torch." in run(folder, "script.py", PYTHONIOENCODING="ascii")


@pytest.mark.skipif(os.name == "nt", reason="pipes close differently there")
def test_a_reader_that_goes_away_gets_no_traceback(folder: Path) -> None:
    command = [sys.executable, "-m", "aoti_lint", "explain", "all"]
    environment = {**os.environ, "PYTHONPATH": str(PROJECT), "PYTHONUNBUFFERED": "1"}
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait() == 0
    process.stderr.close()


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("TORCHINDUCTOR_MAX_AUTOTUNE", "Sets `torch._inductor.config.max_autotune`."),
        ("torchinductor_max_autotune=true", "  true: off"),
        ("config.epilogue_fusion", "True by default."),
        ("torch._dynamo.config.cache_size_limit", "Another name of `torch._dynamo.config.recompile_limit`."),
    ],
)
def test_explain_what_no_guide_speaks_of(word: str, said: str, lint: Lint) -> None:
    assert said in lint("explain", word).out


def test_explain_suggests_variables_that_no_guide_speaks_of(lint: Lint) -> None:
    assert "did you mean 'max_autotune_gemm'?" in lint("explain", "max_autotune_gem").err
    assert "did you mean 'static-shape-called-with-another'?" in lint("explain", "statc-shape").err
    assert "did you mean 'TORCHINDUCTOR_MAX_AUTOTUNE'?" in lint("explain", "TORCHINDUCTOR_MAX_AUTOTUNES").err


@pytest.mark.skipif(os.name == "nt", reason="streams are closed differently there")
@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("script.py >&-", 1),
        ("script.py 2>&-", 1),
        ("--show-settings >&-", 0),
        ("- <&-", 0),
        ("nope.py >&- 2>&- <&-", 2),
    ],
)
def test_streams_that_the_shell_has_closed(folder: Path, words: str, code: int) -> None:
    command = ["sh", "-c", f'"$0" -m aoti_lint {words}', sys.executable]
    environment = {**os.environ, "PYTHONPATH": str(PROJECT)}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == code
    assert "Traceback" not in done.stderr
