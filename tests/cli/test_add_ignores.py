"""`--add-ignores`: comments for what is found today, and nothing else in the files is changed."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from aoti_lint.cli.check import add_ignores
from aoti_lint.cli.main import main
from aoti_lint.findings.ignoring import with_comments
from tests.cli.conftest import Result
from tests.cli.scripts import BROKEN, CLEAN, CPU_CALL, CUDA_PACKAGE, DEPRECATED

Lint = Callable[..., Result]
IGNORED = DEPRECATED[:-1] + "  # aoti-lint: ignore[AOTI201]\n"
SHELL = "export TORCHINDUCTOR_NAN_ASSERTZ=1\n"


def quiet(lint: Lint, *words: str) -> bool:
    result = lint(*words, "--output-format", "concise", "--pedantic")
    return (result.code, result.out, result.err) == (0, "", "")


def test_a_check_is_silent_afterwards(project: Path, lint: Lint) -> None:
    (project / "old.py").write_text(DEPRECATED, encoding="utf-8")
    (project / "clean.py").write_text(CLEAN, encoding="utf-8")
    assert lint("--add-ignores") == (0, "old.py: 1 finding suppressed\nSuppressed 1 finding; none left.\n", "")
    assert (project / "old.py").read_text(encoding="utf-8") == IGNORED
    assert quiet(lint)
    assert lint("--add-ignores").out == "Suppressed 0 findings; none left.\n"
    assert (project / "clean.py").read_text(encoding="utf-8") == CLEAN


def test_a_comment_that_is_there_gets_the_new_rule_and_a_reason_is_written(project: Path, lint: Lint) -> None:
    old = DEPRECATED[:-1].replace("aot_compile(", "aot_compile(  # aoti-lint: ignore[AOTI213] so\n    ")
    device = "\nlib = torch._export.aot_load(path, 'cpuu')\n"
    (project / "old.py").write_text(old + device, encoding="utf-8")
    lint("--add-ignores", "--reason", "until the port: #12")
    text = (project / "old.py").read_text(encoding="utf-8")
    assert "# aoti-lint: ignore[AOTI213, AOTI001, AOTI201] so; until the port: #12\n" in text
    assert text.endswith("'cpuu')  # aoti-lint: ignore[AOTI201, AOTI213] until the port: #12\n")
    assert quiet(lint)


def test_each_file_keeps_how_it_is_written(project: Path, lint: Lint) -> None:
    crlf = ("\ufeff" + DEPRECATED.replace("\n", "\r\n")).encode()
    latin = ("# coding: latin-1\n" + DEPRECATED + "x = 'é'").encode("latin-1")
    for name, data in {"crlf.py": crlf, "latin.py": latin, "real": DEPRECATED.encode()}.items():
        (project / name).write_bytes(data)
    (project / "crlf.py").chmod(0o755)
    (project / "link.py").symlink_to("real")
    assert lint("--add-ignores", "--reason", "é").code == 0
    comment = "  # aoti-lint: ignore[AOTI201] é"
    assert (project / "crlf.py").read_bytes() == crlf[:-2] + comment.encode() + b"\r\n"
    call = DEPRECATED.splitlines()[2].encode()
    assert (project / "latin.py").read_bytes() == latin.replace(call, call + comment.encode("latin-1"))
    assert stat.S_IMODE((project / "crlf.py").stat().st_mode) == 0o755
    assert (project / "link.py").is_symlink()
    assert (project / "real").read_bytes() == DEPRECATED[:-1].encode() + comment.encode() + b"\n"
    assert not [name for name in os.listdir(project) if name.startswith(".aoti")]


def test_links_to_a_file_are_that_file(project: Path, lint: Lint) -> None:
    (project / "real.py").write_text(DEPRECATED, encoding="utf-8")
    (project / "a_link.py").symlink_to("real.py")
    (project / "sub").mkdir()
    (project / "sub" / "real.py").symlink_to("../real.py")
    result = lint("--add-ignores")
    assert (result.code, result.err) == (0, "")
    assert result.out.startswith("real.py: ")
    assert result.out.endswith("; none left.\n")
    assert (project / "real.py").read_text(encoding="utf-8") == IGNORED
    assert (project / "a_link.py").is_symlink()
    assert quiet(lint)


def test_what_an_encoding_lacks(project: Path, lint: Lint) -> None:
    latin = ("# coding: latin-1\n" + DEPRECATED).encode("latin-1")
    (project / "latin.py").write_bytes(latin)
    result = lint("--add-ignores", "--reason", "\N{GREEK SMALL LETTER ALPHA}")
    assert (result.code, result.out) == (1, "Suppressed 0 findings; 1 left.\n")
    assert result.err == "latin.py: left as it is: its encoding, iso8859-1, lacks a character of the new text\n"
    assert (project / "latin.py").read_bytes() == latin


def test_a_notebook_keeps_all_but_the_line(project: Path, lint: Lint) -> None:
    code = ["%matplotlib inline\n", *DEPRECATED.splitlines(keepends=True)]
    code[-1] = code[-1].rstrip("\n")
    cells = [
        {"cell_type": "markdown", "metadata": {}, "source": ["é"]},
        {"cell_type": "code", "execution_count": 3, "metadata": {}, "outputs": [], "source": code},
    ]
    notebook = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    text = json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"
    (project / "notes.ipynb").write_text(text, encoding="utf-8")
    assert lint("--add-ignores").code == 0
    code[-1] += "  # aoti-lint: ignore[AOTI201]"
    assert (project / "notes.ipynb").read_text(encoding="utf-8") == (
        json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"
    )
    assert quiet(lint)


def test_shell(project: Path, lint: Lint) -> None:
    (project / "clean.py").write_text(CLEAN, encoding="utf-8")
    (project / "run.sh").write_text(f"{SHELL}python clean.py\n", encoding="utf-8")
    assert lint(".", "run.sh", "--add-ignores").code == 0
    text = (project / "run.sh").read_text(encoding="utf-8")
    assert text == f"{SHELL[:-1]}  # aoti-lint: ignore[AOTI503]\npython clean.py\n"
    assert quiet(lint, ".", "run.sh")


def test_where_no_comment_can_stand(project: Path, lint: Lint) -> None:
    (project / "old.py").write_text(DEPRECATED, encoding="utf-8")
    text = f"export A=1 \\\n  {SHELL.split()[1]} \\\n  B=2\npython old.py\n"
    (project / "run.sh").write_text(text, encoding="utf-8")
    result = lint(".", "run.sh", "--add-ignores")
    assert result.code == 1
    assert result.err == (
        "run.sh: left as it is: a comment at line 2 would change what it does; "
        "name its rule in per-file-ignores of the configuration\n"
    )
    assert result.out == "old.py: 1 finding suppressed\nSuppressed 1 finding; 1 left.\n"
    assert (project / "run.sh").read_text(encoding="utf-8") == text
    assert (project / "old.py").read_text(encoding="utf-8") == IGNORED


def test_a_finding_is_suppressed_at_one_end(project: Path, lint: Lint) -> None:
    (project / "export.py").write_text(CUDA_PACKAGE, encoding="utf-8")
    (project / "serve.py").write_text(CPU_CALL, encoding="utf-8")
    assert lint("export.py", "--add-ignores").code == 0
    assert (project / "serve.py").read_text(encoding="utf-8") == CPU_CALL
    assert quiet(lint, "export.py")
    assert quiet(lint)


def test_a_file_where_a_check_would_not_be_silent_is_left(
    project: Path, lint: Lint, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / "one.py").write_text(DEPRECATED, encoding="utf-8")
    (project / "two.py").write_text(DEPRECATED, encoding="utf-8")

    def wrong(source: object, wanted: object, reason: str) -> str:
        text = with_comments(source, wanted, reason)  # type: ignore[arg-type]
        return text.replace("AOTI201", "AOTI999") if getattr(source, "path") == "two.py" else text  # noqa: B009

    monkeypatch.setattr(add_ignores, "with_comments", wrong)
    result = lint("--add-ignores")
    assert result.code == 1
    assert (project / "one.py").read_text(encoding="utf-8") == IGNORED
    assert (project / "two.py").read_text(encoding="utf-8") == DEPRECATED
    assert result.err.startswith("two.py: left as it is: with comments, line 3 would say: ")


def test_a_file_that_changes_meanwhile_or_cannot_be_written(
    project: Path, lint: Lint, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / "old.py").write_text(DEPRECATED, encoding="utf-8")
    silent = add_ignores._silent

    def saved(*words: object) -> object:
        (project / "old.py").write_text(DEPRECATED + "\n", encoding="utf-8")
        return silent(*words)  # type: ignore[arg-type]

    monkeypatch.setattr(add_ignores, "_silent", saved)
    result = lint("--add-ignores")
    assert (result.code, result.err) == (2, "old.py: this file was changed meanwhile; it is left as it is\n")
    assert (project / "old.py").read_text(encoding="utf-8") == DEPRECATED + "\n"


def test_files_that_cannot_be_parsed_are_errors_as_in_a_check(project: Path, lint: Lint) -> None:
    (project / "old.py").write_text(DEPRECATED, encoding="utf-8")
    (project / "broken.py").write_text(BROKEN, encoding="utf-8")
    result = lint("--add-ignores")
    assert result.code == 2
    assert result.out.endswith("; none left; 1 file could not be read.\n")
    assert "AOTI002" in result.err
    assert (project / "old.py").read_text(encoding="utf-8") == IGNORED
    assert (project / "broken.py").read_text(encoding="utf-8") == BROKEN


def test_a_named_file_in_an_excluded_folder(project: Path, lint: Lint) -> None:
    (project / "build").mkdir()
    (project / "build/old.py").write_text(DEPRECATED, encoding="utf-8")
    assert lint("build/old.py", "--add-ignores").code == 0
    assert (project / "build/old.py").read_text(encoding="utf-8") == IGNORED


def test_what_the_baseline_has_needs_no_comment(project: Path, lint: Lint) -> None:
    (project / "old.py").write_text(DEPRECATED, encoding="utf-8")
    lint("--baseline", "b.jsonl", "--write-baseline")
    (project / "new.py").write_text(DEPRECATED, encoding="utf-8")
    assert lint("--baseline", "b.jsonl", "--add-ignores").out.startswith("new.py: 1 finding suppressed\n")
    assert (project / "old.py").read_text(encoding="utf-8") == DEPRECATED


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--add-ignores", "-"), "--add-ignores cannot be combined with standard input"),
        (("--add-ignores", "--watch"), "--add-ignores cannot be combined with --watch"),
        (("--add-ignores", "--no-ignores"), "--add-ignores cannot be combined with --no-ignores"),
        (("--add-ignores", "--reason", "a\nb"), "--reason: this must be one line"),
        (("--add-ignores", "--reason", "a\\"), "--reason: this must be one line"),
        (("--add-ignores", "--reason", "noqa: E501"), "--reason: this must be one line"),
        (("--reason", "why"), "--reason is what the comments of --add-ignores say"),
    ],
)
def test_what_cannot_be(
    project: Path, lint: Lint, words: tuple[str, ...], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    import io
    from types import SimpleNamespace

    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(b"")))
    (project / "old.py").write_text(DEPRECATED, encoding="utf-8")
    result = lint(*words)
    assert (result.code, result.out) == (2, "")
    assert said in result.err
    assert (project / "old.py").read_text(encoding="utf-8") == DEPRECATED


def test_copies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """What is told once is suppressed in every file that it stands in."""
    monkeypatch.chdir(tmp_path)
    text = "import torch\ntorch._export.aot_compile(torch.nn.Linear(2, 2), (torch.ones(1, 2),))\n"
    for folder in ("old", "new"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "a.py").write_text(text)
    assert main(["--no-cache", "--add-ignores"]) == 0
    assert capsys.readouterr().out.endswith("Suppressed 2 findings; none left.\n")
    assert main(["--no-cache"]) == 0
