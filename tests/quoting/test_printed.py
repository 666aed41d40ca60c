"""The polyglot through every command and format: as an argument, a name, a string, a log, a part of an archive."""

from __future__ import annotations

import io
import json
import os
import random
import re
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from aoti_lint.cli.main import main
from aoti_lint.report.check.concise import concise_lines
from aoti_lint.report.check.formats import FORMATS
from aoti_lint.report.check.text import text_lines
from aoti_lint.report.lines import Lines
from aoti_lint.report.output import Output
from tests.cli.scripts import BROKEN, DEPRECATED
from tests.program.mutations import members, pack
from tests.quoting.polyglot import ARGUMENT, NAME, POLYGLOT, holds, poisoned
from tests.report.formats.readers import written

TRUTH = Path(__file__).parents[1] / "truth" / "scripts"
ARCHIVES = Path(__file__).parents[1] / "program" / "archives" / "2.13.0"
SAMPLES = Path(__file__).parents[1] / "triage" / "samples.txt"
posix = pytest.mark.skipif(sys.platform == "win32", reason="such names are for POSIX")
Run = Callable[..., str]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Run:
    """Run a command in an empty folder; gives what it printed to standard output, after all of it was looked at."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path.parent / "cache"))

    def started(*words: str, code: int | None = None) -> str:
        try:
            ended = main(list(words))
        except SystemExit as error:
            ended = int(error.code or 0)
        printed = capfd.readouterr()
        holds(printed.out)
        holds(printed.err)
        assert "this is a bug" not in printed.err, printed.err
        assert code in (None, ended), (ended, printed)
        return printed.out

    return started


def test_strings_of_scripts(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every string of every script of the truth, in messages, labels, notes, helps and frames."""
    for path in TRUTH.glob("*.py"):
        Path(path.name).write_text(poisoned(path.read_text(encoding="utf-8")), encoding="utf-8")
    document = json.loads(run("check", ".", "--no-cache", "--pedantic", "--output-format", "json", code=1))
    quoting = [item for item in document["diagnostics"] if "\nFORGED" in item["message"]]
    assert len({item["code"] for item in quoting}) > 10, "the strings must reach the messages"
    for colour in ("", "1"):
        monkeypatch.setenv("FORCE_COLOR", colour)
        out = io.StringIO()
        with Output(None, out) as output:
            output.styled(text_lines(document, Lines(), width=120, statistics=True))
        holds(out.getvalue(), colours=bool(colour))
        assert "\\nFORGED line\\n::error file=x" in out.getvalue()
    lines = list(concise_lines(document))
    assert len(lines) == len(document["diagnostics"]) + len(document["errors"])
    holds("\n".join(lines))
    for form in FORMATS:
        printed = written(document, form, Path.cwd())
        # What a format begins its lines with, and the lines of a text in an element, are its own.
        holds(re.sub("(?m)^::|^FORGED", "", printed) if form in ("github", "html", "junit") else printed)


def test_raw_characters_of_scripts(run: Run) -> None:
    raw = "".join(c for c in POLYGLOT if c not in "\n\r\0\udcff\"'\\")[30:70]
    source = DEPRECATED.replace("path = ", f"""path = "{raw}", """)
    Path("raw.py").write_text(source + f"# {raw}\n", encoding="utf-8")
    assert "\\x1b[31m" in run("check", "raw.py", code=1)
    run("check", "raw.py", "--output-format", "concise", code=1)


@posix
def test_names_of_files(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkdir(NAME)
    for name in (NAME, f"b{NAME}", "::error file=x::y", "-x"):
        Path(NAME, f"{name}.py").write_text(BROKEN if name[0] == "b" else DEPRECATED, encoding="utf-8")
    assert len(run("check", ".", "--output-format", "concise", code=2).splitlines()) == 4
    assert "\\nFORGED" in run("check", ".", "--statistics", code=2)
    names = {item["filename"] for item in json.loads(run("check", ".", "--output-format", "json"))["diagnostics"]}
    assert f"{NAME}/{NAME}.py" in names
    monkeypatch.chdir(NAME)
    run("check", "::error file=x::y.py", "--output-format", "concise", code=1)
    run("check", f"{NAME}.py", "--why-silent", "3", code=0)
    run("check", f"{NAME}.py", "--why-silent", f"{NAME}.py:3", code=0)
    forging = "good.py:1:1: error AOTI101 x.py"
    Path(forging).write_text(DEPRECATED, encoding="utf-8")
    (line,) = run("check", forging, "--output-format", "concise", code=1).splitlines()
    assert line.startswith("good.py\\x3a1:1: error AOTI101 x.py:3:")


@pytest.mark.parametrize(
    "words",
    [
        ["check", ARGUMENT], ["check", f"--{ARGUMENT}"], ["check", "--config", ARGUMENT, "x.py"],
        ["check", "--output-format", ARGUMENT, "x.py"], ["check", "--output-format", f"sarif=no/{ARGUMENT}", "x.py"],
        ["check", "--torch-version", ARGUMENT, "x.py"],
        ["check", "--select", ARGUMENT, "x.py"], ["check", "--env", ARGUMENT, "x.py"],
        ["check", "--python", ARGUMENT, "x.py"], ["check", "--why-silent", ARGUMENT, "x.py"],
        ["check", "--output-file", f"{ARGUMENT}/x", "x.py"], ["check", "--cache-dir", f"x.py/{ARGUMENT}", "x.py"],
        ["check", "--exclude", ARGUMENT, "x.py"], [ARGUMENT], ["explain", ARGUMENT], ["schema", ARGUMENT],
        ["inspect", ARGUMENT], ["inspect", "a", "b", ARGUMENT], ["contract", ARGUMENT],
        ["contract", "x.py", "--weights", ARGUMENT], ["triage", ARGUMENT], ["triage", "x.py", f"--{ARGUMENT}"],
        ["tensors", ARGUMENT], ["verify", ARGUMENT], ["verify", "x.py", "--only", ARGUMENT],
        ["probe", f"a/{ARGUMENT}.py"], ["probe", "x.py", "--inputs", ARGUMENT], ["rerun", ARGUMENT],
        ["rerun", f"{ARGUMENT}.py"],
        ["rerun", "x.py", "--symptom", ARGUMENT], ["rerun", "x.py", "--from-log", ARGUMENT],
        ["rerun", "x.py", "--build", f"'{ARGUMENT}.py"], ["rerun", "x.py", "--timeout", ARGUMENT],
    ],
    ids=lambda words: " ".join("…" if "FORGED" in word else word for word in words),
)  # fmt: skip
def test_arguments(run: Run, words: list[str]) -> None:
    Path("x.py").write_text(DEPRECATED, encoding="utf-8")
    run(*words)


def test_settings(run: Run) -> None:
    text = json.dumps("".join(c for c in POLYGLOT if c not in "\0\udcff\U000e0041"))
    Path("x.py").write_text(DEPRECATED, encoding="utf-8")
    for setting in ("select = [X]", "X = 1", "torch-version = X", "[tool.aoti-lint.X]", "exclude = [X]", "select = X",
                    "per-file-ignores = {X = [X]}", "environment = {X = X}", 'torch-version = "2.13"\nX'):  # fmt: skip
        Path("pyproject.toml").write_text(f"[tool.aoti-lint]\n{setting.replace('X', text)}\n", encoding="utf-8")
        run("check", "x.py")
        run("check", "x.py", "--output-format", "concise")


def test_notebooks_and_settings_of_others(run: Run) -> None:
    cells = [
        {"cell_type": "code", "source": poisoned(DEPRECATED), "metadata": {}, "outputs": []},
        {"cell_type": "code", "source": f"!{POLYGLOT}\n%%{POLYGLOT}", "metadata": {POLYGLOT: POLYGLOT}},
    ]
    book = {"cells": cells, "metadata": {"kernelspec": {"language": POLYGLOT}}, "nbformat": 4, "nbformat_minor": 5}
    Path("n.ipynb").write_text(json.dumps(book), encoding="utf-8")
    for name in ("requirements.txt", "environment.yml", "uv.lock", "Dockerfile", "run.sh"):
        Path(name).write_bytes(f"torch{POLYGLOT}\nexport TORCH_LOGS={POLYGLOT}\n".encode(errors="surrogateescape"))
    for form in ("text", "concise", "json"):
        run("check", ".", "--output-format", form, "--pedantic")
    run("check", "n.ipynb", "--why-silent", "1:3")


def test_logs(run: Run) -> None:
    one = "".join(c for c in POLYGLOT if c not in "\n\r")
    lines = [f"{line}{one}" for line in SAMPLES.read_text(encoding="utf-8").splitlines()]
    frame = f'  File "-x{one}.py", line 3, in {one}\n    {one}\n'
    texts = ["\n".join(lines), f"Traceback (most recent call last):\n{frame}RuntimeError: {POLYGLOT}", POLYGLOT]
    texts += ["\n".join(lines[at : at + 120]) for at in range(0, len(lines), 120)]
    for number, text in enumerate(texts):
        Path(f"{number}.log").write_bytes(text.encode("utf-8", "surrogateescape"))
        run("triage", f"{number}.log", "--no-check")
        json.loads(run("triage", f"{number}.log", "--no-check", "--output-format", "json"))


def test_what_to_run_next_is_one_command(run: Run) -> None:
    said = "RuntimeError: Could not guard on data-dependent expression Eq(u0, 1) (unhinted: Eq(u0, 1))"
    for path, shown in (("a b.py", "'a b.py'"), ("-x.py", "./-x.py"), ("$(touch PWNED).py", "'$(touch PWNED).py'")):
        log = f'Traceback (most recent call last):\n  File "{path}", line 3, in <module>\n    f()\n{said}\n'
        Path("it.log").write_text(log, encoding="utf-8")
        printed = run("triage", "it.log", "--no-check", code=0)
        (line,) = [line for line in printed.splitlines() if line.startswith("  next: ")]
        assert line.endswith(f" python {shown}")


def strings(value: Any, change: Callable[[str], str]) -> Any:
    """A value of JSON with every string changed."""
    if isinstance(value, dict):
        return {strings(key, change): strings(item, change) for key, item in value.items()}
    if isinstance(value, list):
        return [strings(item, change) for item in value]
    return change(value) if isinstance(value, str) else value


def test_archives(run: Run) -> None:
    """Each string of the JSON and each name in an archive, some at a time, so that the rest is read."""
    numbers = random.Random(17)
    reached = 0
    for name in ("auto.pt2", "bare.zip", "buffers.aoti.pt2"):
        parts = members(ARCHIVES.joinpath(name).read_bytes())
        for share in (1.0, 0.3, 0.1, 0.03, 0.03):

            def change(text: str, share: float = share) -> str:
                return text + POLYGLOT if numbers.random() < share else text

            made = {}
            for part, data in parts.items():
                if part.endswith(".json"):
                    data = json.dumps(strings(json.loads(data), change)).encode()
                made[change(part).replace("\udcff", "")] = data
            Path("a.pt2").write_bytes(pack(made))
            reached += "FORGED" in run("inspect", "a.pt2", "--all")
            json.loads(run("inspect", "a.pt2", "--output-format", "json") or "0")
            run("inspect", str(ARCHIVES / name), "a.pt2")
            for words in ([], ["-o", "-"], ["-o", "-", "--cpp"], ["--output-format", "json"]):
                run("contract", "a.pt2", *words)
            run("check", "a.pt2")
    assert reached > 5


def test_saved_tensors(run: Run) -> None:
    torch = pytest.importorskip("torch")
    name = NAME.replace("\n", "")[:100]
    torch.save(torch.tensor([float("nan")]), f"before_launch_k{name}_buf0_cpu.pt")
    torch.save(torch.tensor([1.0]), f"after_launch_k{name}_{name}_cpu.pt")
    Path(f"after_launch_q{name}_buf1_cpu.pt").write_bytes(b"no tensor")
    assert "\\x1b[31m" in run("tensors", ".")
    json.loads(run("tensors", ".", "--output-format", "json"))
    run("tensors", ".", "--plot", "it.html")
    run("tensors", ".", ".")
    assert "<img" not in Path("it.html").read_text(encoding="utf-8")


def test_what_ran(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """The reports of `verify` and `probe`, whose words come from torch and from the user's code."""
    from aoti_lint.probe.finding import Finding, Place
    from aoti_lint.probe.report import Probed, Report
    from aoti_lint.program.verify import report as verified
    from aoti_lint.program.verify.cases import Call, Case
    from aoti_lint.program.verify.judge import Finding as Judged
    from aoti_lint.quoting.json import of_model
    from aoti_lint.report.commands import probing, verification

    text = POLYGLOT
    place = Place(file=text, line=3, text=text)
    finding = Finding("fault", "AOTI402", text, place, text)
    probed = [
        Probed(name=text, status=status, error=text, inputs=(text,), kernel=text, fake=place, findings=(finding,))
        for status in ("probed", "not probed", "crashed", "hung")
    ]
    ops = Report(torch=text, targets=(text,), ops=tuple(probed), errors={text: text})
    case = Case(name=text, kind="repeat", calls=(Call(), Call()))
    ran = verified.Ran(case=case, finding=Judged(verdict="values differ", text=text, subject="package"), silent=False)
    outside = ran.model_copy(update={"case": case.model_copy(update={"kind": "outside"})})
    failure = verified.Failure(
        verdict="values differ", text=text, subject="package", why=text, case=case, smallest=text, cases=(text, text),
        code=f"x = {text!r}",
    )  # fmt: skip
    models = verified.Report(
        file=text, torch=text, device=text, seed=1, compared=("program", "package"), cases=(ran, outside),
        failures=(failure,), notes=(text,),
    )  # fmt: skip
    for colour in ("", "1"):
        monkeypatch.setenv("FORCE_COLOR", colour)
        with Output(None) as output:
            probing.print_report(output, ops, everything=True)
            verification.print_report(output, models, everything=True)
            output.document(of_model(ops))
            output.document(of_model(models))
        holds(capsys.readouterr().out, colours=bool(colour))


def test_warnings_of_others(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    """Python quotes sources when it warns of them."""

    def warns(*_: object) -> int:
        warnings.warn(f"[31m ##[error]{POLYGLOT.replace('FORGED', 'said')}", SyntaxWarning, stacklevel=1)
        return 0

    monkeypatch.setattr("aoti_lint.cli.main._command", warns)
    assert main(["check", "x.py"]) == 0
    printed = capfd.readouterr().err
    assert "SyntaxWarning: [31m \\x23#[error]" in printed
    holds(printed)


def test_bugs_of_ours(run: Run, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    def fails(*_: object) -> None:
        raise ValueError(POLYGLOT.replace("FORGED", "said"))

    monkeypatch.setattr("aoti_lint.cli.check.check.options_of", fails)
    assert main(["check", "x.py"]) == 2
    printed = capfd.readouterr().err
    assert "this is a bug in aoti-lint" in printed
    holds(printed)
