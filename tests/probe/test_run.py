"""The command `aoti-lint probe`, with its child process."""

from __future__ import annotations

import importlib.util
import io
import json
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from aoti_lint.cli.main import main
from aoti_lint.probe.finding import RULES, Finding, Place
from aoti_lint.probe.report import Probed, Report

HERE = Path(__file__).parent / "scripts"
TORCH_PYTHON = os.environ.get("AOTI_LINT_TORCH_PYTHON") or (
    sys.executable if importlib.util.find_spec("torch") else None
)
"""An interpreter that has torch."""

needs_torch = pytest.mark.skipif(
    TORCH_PYTHON is None, reason="torch is not installed, and AOTI_LINT_TORCH_PYTHON is not set"
)
Run = Callable[..., tuple[int, dict[str, Any]]]


@pytest.fixture
def probe(capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs the command; gives its exit code and its operators by name."""

    def run(*words: object) -> tuple[int, dict[str, Any]]:
        code = main(["probe", *map(str, words), "--python", str(TORCH_PYTHON), "--output-format", "json"])
        printed = capsys.readouterr()
        assert printed.out, printed.err
        assert "this runs" in printed.err
        report = json.loads(printed.out)
        return code, {"report": report, **{op["name"]: op for op in report["ops"]}}

    return run


def rules(op: dict[str, Any]) -> set[str | None]:
    return {finding["rule"] for finding in op["findings"] if finding["level"] == "fault"}


@needs_torch
def test_one_that_dies_or_hangs_does_not_lose_the_others(probe: Run) -> None:
    code, found = probe(HERE / "hostile.py", "--timeout", "6")
    assert code == 1
    # Its inputs were made up, so that the crash may be their fault; the fake was probed all the same.
    assert found["hostile::dies"]["status"] == "probed"
    assert "SIGSEGV" in found["hostile::dies"]["kernel"]
    assert rules(found["hostile::dies"]) == {"AOTI402"}
    assert "no answer within 6 seconds" in found["hostile::hangs"]["kernel"]
    assert found["hostile::picky"]["status"] == "not probed"
    assert found["hostile::picky"]["error"].startswith("ValueError: no such word: ")
    assert found["hostile::picky"]["tried"] > 20
    assert (found["hostile::zealous"]["status"], rules(found["hostile::zealous"])) == ("probed", set())
    assert found["hostile::zealous"]["compared"] > 5


@needs_torch
def test_what_was_registered_before_an_error_is_probed_and_the_error_told(probe: Run) -> None:
    _, found = probe(HERE / "hostile.py", "--op", "hostile::zeal*")
    (error,) = found["report"]["errors"].values()
    assert error == "RuntimeError: after everything was registered"
    assert [op["name"] for op in found["report"]["ops"]] == ["hostile::zealous"]


@needs_torch
def test_inputs_of_the_user(probe: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
    for name in ("hostile.py", "samples.py"):
        shutil.copy(HERE / name, tmp_path)
    code, found = probe(
        tmp_path / "hostile.py", "--op", "hostile::picky", "--inputs", f"{tmp_path / 'samples.py'}:inputs"
    )
    picky = found["hostile::picky"]
    assert (code, picky["status"], picky["given"], rules(picky)) == (1, "probed", True, {"AOTI404"})
    assert picky["inputs"] == ["x=float32[5], word='abracadabra'"]
    # Nothing is left beside the files of the user.
    assert sorted(os.listdir(tmp_path)) == ["hostile.py", "samples.py"]


@needs_torch
def test_saved_inputs_and_a_crash_with_them(probe: Run, tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    torch.save([("hostile::dies", (torch.randn(3),))], tmp_path / "saved.pt")
    code, found = probe(HERE / "hostile.py", "--op", "hostile::dies", "--examples", tmp_path / "saved.pt")
    dies = found["hostile::dies"]
    assert (code, dies["status"], rules(dies)) == (1, "crashed", {"AOTI402"})
    assert dies["error"].startswith("while running the kernel: SIGSEGV")


@needs_torch
def test_the_operators_of_a_program_with_its_shapes(probe: Run, tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    pytest.importorskip("tests.probe.scripts.ops")

    class Net(torch.nn.Module):  # type: ignore[misc, name-defined]
        def forward(self, x: Any, y: Any) -> Any:
            return torch.ops.probed.product(x, y) + 1

    inputs = torch.randn(5, 3), torch.randn(3, 2)
    program = torch.export.export(Net(), inputs, dynamic_shapes=({0: torch.export.Dim("rows")}, None))
    torch.export.save(program, tmp_path / "net.pt2")
    code, found = probe(tmp_path / "net.pt2", "--import", HERE / "ops.py")
    assert code == 0
    assert [op["name"] for op in found["report"]["ops"]] == ["probed::product"]
    product = found["probed::product"]
    assert product["inputs"] == ["x=float32[5, 3], y=float32[3, 2]"]
    assert product["compared"] > 5


@needs_torch
def test_nothing_to_probe_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    python = ["--python", str(TORCH_PYTHON)]
    assert main(["probe", "json", *python]) == 2
    assert "no custom operator was registered" in capsys.readouterr().err
    assert main(["probe", "no_such_module_at_all", *python]) == 2
    assert "ModuleNotFoundError: No module named 'no_such_module_at_all'" in capsys.readouterr().err


def test_help_says_what_is_executed(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["probe", "--help"])
    text = " ".join(capsys.readouterr().out.split())
    assert "Do it only with code you trust" in text
    assert "which unpickles" in text


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "what registers the operators?"),
        (["nowhere.py"], "nowhere.py: there is no such file"),
        (["json", "--inputs", "samples"], "write MODULE:FUNCTION"),
        (["nowhere.pt2"], "nowhere.pt2: No such file"),
    ],
)
def test_what_cannot_run_is_said(words: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["probe", *words]) == 2
    assert message in capsys.readouterr().err


def test_the_report_in_words() -> None:
    from aoti_lint.report.commands.probing import print_report
    from aoti_lint.report.output import Output

    fake = Place("/gone/ops.py", 3, "_", "@op.register_fake")
    fault = Finding("fault", "AOTI402", "makes x.shape[0] the number 4", Place("/gone/ops.py", 5, "_", "n = int(n)"),
                    "x=float32[4, 8]")  # fmt: skip
    note = Finding("note", None, "demands \x1b[31mx.shape[1] == 8", fake, "x=float32[4, 8]")
    report = Report(
        torch="2.13.0", targets=("ops.py",), errors={"ops.py": "RuntimeError: no"},
        ops=(
            Probed(name="my::op", status="probed", compared=3, fake=fake, findings=(fault, note)),
            Probed(name="my::right", status="probed", kernel="there is none for cpu here"),
            Probed(name="my::picky", status="not probed", error="ValueError: what", tried=600),
            Probed(name="my::dead", status="crashed", error="SIGSEGV"),
        ),
    )  # fmt: skip

    def printed(everything: bool) -> str:
        out = io.StringIO()
        print_report(Output(None, out), report, everything=everything)
        return out.getvalue()

    text = printed(False)
    assert "my::op  /gone/ops.py:3\n  fault[AOTI402] fake-specialises-a-size: makes x.shape[0] the number 4\n" in text
    assert "    --> /gone/ops.py:5  n = int(n)\n    with x=float32[4, 8]\n" in text
    assert "demands" not in text
    assert "  my::picky: none of 600 inputs that were made up fits; the last one: ValueError: what" in text
    assert "  crashed: SIGSEGV" in text
    assert "only the fakes of these ran, as their kernels did not: my::right" in text
    assert "note: ops.py was not imported to its end: RuntimeError: no" in text
    assert text.endswith("1 fault in 1 operator; probed 2 of 4 operators, compared 1 with the kernel; 1 not probed; "
                         "1 crashed or hung; 1 note (--all)\n")  # fmt: skip
    text = printed(True)
    assert "note: demands" in text
    assert "\x1b" not in text


def test_every_rule_that_is_named_exists() -> None:
    from aoti_lint.catalogue.registry import load

    known = {rule.code: rule.name for rule in load()}
    assert {code: name for code, name in RULES.items() if code in known and known[code] != name} == {}


@needs_torch
def test_the_example_of_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (Path(__file__).parents[2] / "docs" / "failure.md").read_text(encoding="utf-8")
    part = text.partition("## Probing custom operators")[2]
    script = part.partition("```python scaled.py\n")[2].partition("```")[0]
    shown = part.partition("```text\n")[2].partition("```")[0]
    (tmp_path / "scaled.py").write_text(script, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")
    assert main(["probe", "scaled.py", "--python", str(TORCH_PYTHON)]) == 1
    printed = capsys.readouterr()
    assert shown == "$ aoti-lint probe scaled.py\n" + printed.out
    assert printed.err.startswith("aoti-lint: this runs scaled.py; and the kernels and fakes of their operators, in ")
