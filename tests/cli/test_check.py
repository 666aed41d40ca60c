"""The main command: what it prints, and its exit codes."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from aoti_lint import __version__
from aoti_lint.report.check.json_v1 import Document
from tests.cli.conftest import Result
from tests.cli.scripts import BROKEN, CLEAN, CPU_CALL, CUDA_PACKAGE, DEPRECATED, IRRELEVANT

Lint = Callable[..., Result]

CONCISE = ("--output-format", "concise")
DEPRECATED_LINE = "script.py:3:8: warning AOTI201 deprecated-aot-api: torch._export.aot_compile is deprecated\n"


@pytest.fixture
def script(project: Path) -> Path:
    path = project / "script.py"
    path.write_text(DEPRECATED, encoding="utf-8")
    return path


def test_both_ends_of_a_finding_are_shown(project: Path, lint: Lint) -> None:
    (project / "export.py").write_text(CUDA_PACKAGE, encoding="utf-8")
    (project / "serve.py").write_text(CPU_CALL, encoding="utf-8")
    result = lint("serve.py")
    assert result.code == 1
    assert result.err == ""
    frames, _, rest = result.out.partition("  = outcome: raises at call\n")
    assert frames.startswith("error[AOTI102]: ")
    assert " --> serve.py:4:13 (input-on-other-device)\n  |\n4 | print(model(torch.ones(2, 3)))\n" in frames
    assert " ::: export.py:3:56\n" in frames
    assert frames.isascii()
    assert (
        "Found 1 error.\nAnalysed 1 of 1 file, and read 1 more that belongs to it, for torch 2.13 (pyproject.toml).\n"
        in rest
    )


def test_check_is_the_command_without_a_name(script: Path, lint: Lint) -> None:
    assert lint("check", "script.py", *CONCISE) == lint("script.py", *CONCISE) == (1, DEPRECATED_LINE, "")


def test_a_clean_script(project: Path, lint: Lint) -> None:
    (project / "script.py").write_text(CLEAN, encoding="utf-8")
    assert lint("script.py") == (0, "No problems found.\nAnalysed 1 of 1 file, for torch 2.13 (pyproject.toml).\n", "")


def test_a_folder_with_nothing_to_judge(project: Path, lint: Lint) -> None:
    (project / "script.py").write_text(IRRELEVANT, encoding="utf-8")
    result = lint(".")
    assert result.code == 0
    assert result.out.endswith("Looked through 1 file: there is nothing to export, compile or load.\n")
    (project / "script.py").unlink()
    assert lint(".").out.endswith("no Python file, notebook, C++ source, shell script or file of settings.\n")


def test_a_file_that_cannot_be_parsed_is_an_error_beside_the_findings(script: Path, lint: Lint) -> None:
    script.with_name("broken.py").write_text(BROKEN, encoding="utf-8")
    result = lint(".", *CONCISE, "--exit-zero")
    assert result.code == 2
    assert result.out.startswith("broken.py:")
    assert " error AOTI002 unreadable-file: " in result.out
    assert result.out.endswith(DEPRECATED_LINE)


@pytest.mark.parametrize(
    ("data", "message"), [(b"import torch\nexport = '\xff'\n", "not valid utf-8"), (None, "no such file")]
)
def test_a_file_that_cannot_be_read_is_an_error(project: Path, lint: Lint, data: bytes | None, message: str) -> None:
    if data is not None:
        (project / "script.py").write_bytes(data)
    result = lint("script.py")
    assert result.code == 2
    assert "error[AOTI002]" in result.out
    assert message in result.out


def test_json_is_a_document_of_the_schema(script: Path, lint: Lint) -> None:
    script.with_name("broken.py").write_text(BROKEN, encoding="utf-8")
    result = lint(".", "--output-format", "json")
    assert result.code == 2
    document = Document.model_validate_json(result.out)
    assert document.model_dump(mode="json") == json.loads(result.out)
    assert document.version == __version__
    assert document.torch.versions == ["2.13"]
    (finding,) = document.diagnostics
    assert (finding.code, finding.filename, finding.location.row, finding.noqa_row) == ("AOTI201", "script.py", 3, 3)
    assert len(finding.fingerprint) == 16
    assert finding.url is not None
    (problem,) = document.errors
    assert problem.filename == "broken.py"
    assert (document.summary.files, document.summary.analysed, document.summary.warnings) == (2, 1, 1)


def test_file_names_are_relative_to_the_present_folder(
    script: Path, lint: Lint, monkeypatch: pytest.MonkeyPatch
) -> None:
    inner = script.parent / "inner"
    inner.mkdir()
    monkeypatch.chdir(inner)
    assert lint(str(script), *CONCISE).out == "../" + DEPRECATED_LINE
    assert "8 | path" not in (text := lint("../script.py").out)
    assert "3 | path = torch._export.aot_compile(" in text


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ((), 1),
        (("--select", "AOTI2"), 1),
        (("--select", "deprecated-aot-api,AOTI101"), 1),
        (("--select", "AOTI1"), 0),
        (("--select", "AOTI1", "--extend-select", "AOTI201"), 1),
        (("--ignore", "aoti201"), 0),
        (("--ignore", "AOTI2", "--extend-select", "AOTI201"), 1),
        (("--exit-zero",), 0),
        (("--error-on", "certain"), 1),
        (("--no-config",), 1),
    ],
)
def test_choosing_rules_and_exit_codes(script: Path, lint: Lint, options: tuple[str, ...], code: int) -> None:
    assert lint("script.py", *options).code == code


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--select", "AOTI299"), "the command line: there is no rule 'AOTI299'; aoti-lint explain AOTI2 lists "),
        (("--ignore", "deprecated-aot-apis"), "no rule 'deprecated-aot-apis'; did you mean 'deprecated-aot-api'?"),
        (("--torch-version", "two"), "--torch-version: "),
        (("--config", "none.toml"), "none.toml: No such file"),
        (("--config", "pyproject.tml"), "pyproject.toml'?\n"),
        (("",), "a PATH is empty"),
        (("--error-on certain",), "'--error-on certain' is one word: an option and its value are two"),
        (("a.py", ""), "a PATH is empty"),
        (("-",), "'-' (standard input) cannot be combined with other paths"),
        (("--output-file", "no/such/folder"), "no/such/folder: No such file"),
    ],
)
@pytest.mark.parametrize("text", [DEPRECATED, IRRELEVANT])
def test_what_cannot_be_done_is_said_in_one_line(
    script: Path, lint: Lint, options: tuple[str, ...], message: str, text: str
) -> None:
    script.write_text(text, encoding="utf-8")
    result = lint("script.py", *options)
    assert result.code == 2
    assert result.out == ""
    assert result.err.startswith("aoti-lint: error: ")
    assert message in result.err
    assert result.err.count("\n") == 1


def test_no_path_means_the_present_folder(script: Path, lint: Lint) -> None:
    assert lint(*CONCISE) == lint("check", *CONCISE) == lint(".", *CONCISE) == (1, DEPRECATED_LINE, "")
    assert lint("--select", "AOTI1").code == 0


def test_version_and_help(lint: Lint) -> None:
    assert lint("--version") == (0, f"aoti-lint {__version__}\n", "")
    assert "exit codes:" in lint("--help").out


def test_the_configuration_is_heeded(script: Path, lint: Lint) -> None:
    config = script.with_name("aoti-lint.toml")
    for text, out in [
        ('ignore = ["AOTI201"]', ""),
        ('select = ["AOTI1"]', ""),
        ('severity = { deprecated-aot-api = "error" }', DEPRECATED_LINE.replace("warning", "error")),
        ('severity = { AOTI2 = "off" }', ""),
        ('per-file-ignores = { "scr*.py" = ["AOTI2"] }', ""),
        ('per-file-ignores = { "other/*" = ["AOTI2"] }', DEPRECATED_LINE),
        ('torch-version = "2.13"', DEPRECATED_LINE),
    ]:
        config.write_text(text, encoding="utf-8")
        result = lint(".", *CONCISE)
        assert (text, result.out, result.err) == (text, out, "")
    config.write_text('severity = { AOTI201 = "info" }', encoding="utf-8")
    assert lint(".", *CONCISE) == (0, DEPRECATED_LINE.replace("warning", "info"), "")


@pytest.mark.parametrize("setting", ["ignore", "select", "extend-select"])
def test_an_unknown_rule_in_the_configuration_is_named_with_its_file(script: Path, lint: Lint, setting: str) -> None:
    config = script.with_name("aoti-lint.toml")
    config.write_text(f'{setting} = ["load-on-other-devise"]', encoding="utf-8")
    message = "there is no rule 'load-on-other-devise'; did you mean 'load-on-other-device'?"
    assert lint(".").err == f"aoti-lint: error: {config}: {message}\n"


def test_excluded_files(script: Path, lint: Lint) -> None:
    script.with_name("aoti-lint.toml").write_text('exclude = ["script.py"]', encoding="utf-8")
    assert lint(".", *CONCISE).out == ""
    assert lint("script.py", *CONCISE).out == DEPRECATED_LINE
    assert lint("script.py", "--force-exclude", *CONCISE).out == ""
    assert "Skipped script.py: excluded." in lint("script.py", "--force-exclude").out
    assert lint(".", "--no-config", "--exclude", "nothing.py", *CONCISE).out == DEPRECATED_LINE


def test_standard_input(script: Path, lint: Lint, monkeypatch: pytest.MonkeyPatch) -> None:
    def give(text: str) -> None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))

    give(DEPRECATED)
    assert lint("-", *CONCISE).out == DEPRECATED_LINE.replace("script.py", "<stdin>")
    give("\n\n" + DEPRECATED)
    result = lint("-", "--stdin-filename", "script.py")
    assert " --> script.py:5:8 (deprecated-aot-api)\n" in result.out
    assert "5 | path = torch._export.aot_compile(" in result.out
    script.with_name("export.py").write_text(CUDA_PACKAGE, encoding="utf-8")
    give(CPU_CALL)
    assert "AOTI102" in lint("-", *CONCISE).out
    give(DEPRECATED)
    assert lint("-", "--stdin-filename", "script.py", "--exclude", "script.py", "--force-exclude", *CONCISE).out == ""


def test_a_notebook(project: Path, lint: Lint) -> None:
    first, second = "%matplotlib inline\nimport torch", DEPRECATED.splitlines()[2] + "  # not noqa"
    cells: list[dict[str, object]] = [
        {"cell_type": "markdown", "metadata": {}, "source": ["# Title"]},
        {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None, "source": first},
        {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None, "source": ["\n", second]},
    ]
    notebook = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    (project / "notes.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
    result = lint("notes.ipynb")
    assert " --> notes.ipynb:cell 3:2:8 (deprecated-aot-api)\n" in result.out
    assert "2 | path = torch._export.aot_compile(" in result.out
    (finding,) = Document.model_validate_json(lint("notes.ipynb", "--output-format", "json").out).diagnostics
    assert (finding.cell, finding.location.row, finding.noqa_row) == (3, 2, 2)
    cells[2]["source"] = ["\n", second.replace("not noqa", "noqa: AOTI201")]
    (project / "notes.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
    assert lint("notes.ipynb").code == 0


def test_suppression_comments(script: Path, lint: Lint) -> None:
    script.write_text(DEPRECATED.rstrip() + "  # aoti-lint: ignore[AOTI201] until the move\n", encoding="utf-8")
    result = lint("script.py")
    assert result.code == 0
    assert "Not shown: 1 suppressed by comments (--no-ignores shows it)." in result.out
    assert lint("script.py", "--no-ignores", *CONCISE).out == DEPRECATED_LINE
    assert lint("script.py", "--select", "AOTI0", *CONCISE).out == ""
    script.write_text("x = 1  # aoti-lint: ignore[AOTI201]\n", encoding="utf-8")
    assert " warning AOTI001 unused-suppression: " in lint("script.py", *CONCISE).out
    assert lint("script.py", "--ignore", "AOTI001", *CONCISE).out == ""


def test_output_file_and_statistics(script: Path, lint: Lint) -> None:
    result = lint("script.py", "--output-file", "report.txt", "--statistics")
    assert result == (1, "", "")
    assert "    1  AOTI201  deprecated-aot-api\n" in script.with_name("report.txt").read_text(encoding="utf-8")
    assert lint("script.py", "--statistics", *CONCISE).out == DEPRECATED_LINE + "    1  AOTI201  deprecated-aot-api\n\n"


def test_paths_and_options_in_any_order(script: Path, lint: Lint) -> None:
    script.with_name("more.py").write_text(DEPRECATED, encoding="utf-8")
    found = lint("script.py", *CONCISE, "more.py", "--torch-version", "2.13")
    assert found.code == 1
    assert [line.partition(":")[0] for line in found.out.splitlines()] == ["more.py", "script.py"]


def test_why_silent_names_cells_as_a_report_does(script: Path, lint: Lint) -> None:
    cells = [
        "import torch",
        "x = 1\nprogram = torch.export.export(torch.nn.ReLU(), (torch.ones(3),))",
        "program.module()(torch.ones(3))",
    ]
    book = {"cells": [{"cell_type": "code", "source": text, "metadata": {}, "outputs": []} for text in cells],
            "metadata": {}, "nbformat": 4, "nbformat_minor": 5}  # fmt: skip
    script.with_name("n.ipynb").write_text(json.dumps(book), encoding="utf-8")
    asked = [lint(".", "--why-silent", f"n.ipynb:{cell}").out for cell in ("3:1", "cell 3:1")]
    assert asked[0].splitlines()[:3] == [
        "n.ipynb:cell 3:1", "  a call of a program:", "    program: exported at n.ipynb:cell 2:2",
    ]  # fmt: skip
    assert asked[1] == asked[0]


def test_why_silent(script: Path, lint: Lint) -> None:
    script.write_text(DEPRECATED.rstrip() + "  # noqa: AOTI201\nmystery(path)\nx = 1\n", encoding="utf-8")
    found = lint("script.py", "--why-silent", "3")
    assert found.code == 0
    assert "AOTI201 deprecated-aot-api, certain (suppressed by a comment): " in found.out
    nothing = "  nothing on this line exports, compiles, loads or calls a program, or defines an operator\n"
    assert lint(".", "--why-silent", "script.py:4").out.startswith(
        f"script.py:4\n{nothing}  not followed: a call of an unknown"
    )
    assert lint(".", "--why-silent", "script.py:5").out == f"script.py:5\n{nothing}"
    script.with_name("other.py").write_text(IRRELEVANT, encoding="utf-8")
    assert "the file was not analysed: nothing in it" in lint(".", "--why-silent", "other.py:1").out
    for line, message in [
        ("1", "which file? Write FILE:LINE"),
        ("no.py:1", "no.py is none of the files to check; name it, too"),
        ("script.py:99", "there is no line 99 in script.py"),
        ("script.py", "'script.py' is no line"),
    ]:
        assert lint(".", "--why-silent", line).err.startswith(f"aoti-lint: error: --why-silent: {message}")


def test_an_unforeseen_error_is_no_finding(script: Path, lint: Lint, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("unforeseen")

    monkeypatch.setattr("aoti_lint.cli.check.check.find", fail)
    result = lint("script.py")
    assert result.code == 2
    assert "RuntimeError: unforeseen" in result.err
    assert result.err.endswith("this is a bug in aoti-lint; please report it with the lines above\n")


def test_a_folder_with_requirements_of_its_own_is_judged_for_them(project: Path, lint: Lint) -> None:
    removed = "import torch\n\nm = torch.export.export_for_training(torch.nn.ReLU(), (torch.ones(2),))\n"
    library = "import torch\n\n\ndef export(m):\n    return torch.export.export_for_training(m, (torch.ones(2),))\n"
    user = "import torch\nfrom library import export\n\nexport(torch.nn.ReLU())\n"
    (project / "old").mkdir()
    for name, text in (("new.py", removed), ("old/old.py", removed), ("library.py", library), ("old/user.py", user)):
        (project / name).write_text(text, encoding="utf-8")
    (project / "old/requirements.txt").write_text("torch==2.6\n", encoding="utf-8")
    said = json.loads(lint("--output-format", "json", ".").out)
    assert said["torch"]["below"] == [{"folder": "old", "versions": ["2.6"], "origin": "old/requirements.txt"}]
    found = {(one["filename"], one["severity"]) for one in said["diagnostics"] if one["code"] == "AOTI202"}
    # Who calls the library has the old torch.
    assert found == {("new.py", "error")}
    assert "Folders that say otherwise: old: 2.6 (old/requirements.txt).\n" in lint(".", "--select", "AOTI202").out
    assert json.loads(lint("--output-format", "json", "new.py").out)["torch"]["below"] == []
    assert not json.loads(lint("--output-format", "json", "old/old.py", "--no-cache").out)["diagnostics"]


@pytest.mark.parametrize(
    ("spec", "shown"), [("<=2.9", 0), ("!=2.7,<2.9", 0), (">=2.4,<=2.9", 1), ("~=2.5", 0), ("==2.5.*", 1)]
)
def test_what_only_the_oldest_lack_counts_where_the_project_says_how_old(
    project: Path, lint: Lint, spec: str, shown: int
) -> None:
    (project / "requirements.txt").write_text(f"torch{spec}\n", encoding="utf-8")
    (project / "script.py").write_text("import torch\n\ntorch.library.wrap_triton(print)\n", encoding="utf-8")
    said = json.loads(lint("--output-format", "json", "script.py").out)
    assert len(said["diagnostics"]) == shown
    assert said["summary"]["held_back"] == 1 - shown


def test_a_setting_that_no_release_has_may_be_of_an_older_one(project: Path, lint: Lint) -> None:
    (project / "pyproject.toml").write_text('[project]\ndependencies = ["torch>=2.0"]\n', encoding="utf-8")
    text = "import torch._inductor.config as c\n\nc.tune_layout = True\nc.max_autotne = True\n"
    (project / "script.py").write_text(text, encoding="utf-8")
    said = json.loads(lint("--output-format", "json", "script.py").out)["diagnostics"]
    assert [(one["code"], one["severity"]) for one in said] == [("AOTI510", "warning"), ("AOTI510", "error")]


def test_rules_may_be_parted_by_spaces(script: Path, lint: Lint) -> None:
    both = lint("script.py", "--select", "AOTI201 AOTI202")
    assert both == lint("script.py", "--select", "AOTI201, AOTI202")
    assert both.code == 1


def test_a_file_beside_the_one_that_is_not_there(script: Path, lint: Lint) -> None:
    result = lint("scrip.py", "--output-format", "concise")
    assert "error AOTI002 unreadable-file: no such file or folder; did you mean 'script.py'?\n" in result.out
    assert "'script.py'" in lint("rerun", "scrip.py").err
    assert "'script.py'" in lint("triage", "scrip.py").err


def test_a_file_that_is_to_be_explained(script: Path, lint: Lint) -> None:
    result = lint("explain", "script.py")
    assert (result.code, result.out) == (2, "")
    assert result.err.endswith("; aoti-lint script.py checks this file or folder\n")
