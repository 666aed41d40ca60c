"""`aoti-lint contract`."""

from __future__ import annotations

import json
import os
import runpy
import stat
from collections.abc import Callable
from pathlib import Path

from tests.cli.conftest import Result

Lint = Callable[..., Result]
ARCHIVES = Path(__file__).parents[1] / "program" / "contract" / "archives"
PACKAGE, PROGRAM = str(ARCHIVES / "guards.aoti.pt2"), str(ARCHIVES / "guards.pt2")


def test_table(lint: Lint) -> None:
    result = lint("contract", PACKAGE, "--program", PROGRAM)
    assert (result.code, result.err) == (0, "")
    assert result.out.startswith("Contract of 'model', of the package and its program, torch 2.13.0+cpu\n")
    for words in ("float32[s77, 8] on cpu", "contiguous", "4 to 37", "x.shape[0] + y.shape[0] < 40"):
        assert words in result.out


def test_json(lint: Lint) -> None:
    found = json.loads(lint("contract", PROGRAM, "--output-format", "json").out)
    assert found["format"] == "aoti-lint/contract-1"
    assert found["source"] == "program"
    assert [item["path"] for item in found["inputs"]] == ["x", "y"]
    result = lint("contract", PROGRAM, "--output-format", "json", "--cpp")
    assert result.code == 2
    assert "goes with neither -o nor --cpp" in result.err


def test_writes_a_validator_once_and_again(lint: Lint, project: Path) -> None:
    for _ in range(2):
        assert lint("contract", PACKAGE, "--program", PROGRAM, "-o", "check_inputs.py") == Result(0, "", "")
    path = project / "check_inputs.py"
    assert set(runpy.run_path(str(path))) >= {"check_inputs", "violations"}
    assert lint("contract", PACKAGE, "--program", PROGRAM, "-o", "-").out == path.read_text(encoding="utf-8")
    assert os.name == "nt" or stat.S_IMODE(path.stat().st_mode) & 0o444
    assert [item.name for item in project.iterdir() if item.suffix != ".toml"] == ["check_inputs.py"]


def test_writes_over_no_other_file(lint: Lint, project: Path) -> None:
    path = project / "check_inputs.py"
    path.write_text("mine\n", encoding="utf-8")
    result = lint("contract", PACKAGE, "-o", "check_inputs.py")
    assert result.code == 2
    assert "was not written by this command; --force writes over it" in result.err
    assert path.read_text(encoding="utf-8") == "mine\n"
    assert lint("contract", PACKAGE, "-o", "check_inputs.py", "--force").code == 0


def test_a_header(lint: Lint, project: Path) -> None:
    text = lint("contract", PACKAGE, "--program", PROGRAM, "--cpp").out
    assert "#pragma once" in text
    assert lint("contract", PACKAGE, "--program", PROGRAM, "--cpp", "-o", "check_inputs.hpp").code == 0
    assert (project / "check_inputs.hpp").read_text(encoding="utf-8") == text


def test_what_cannot_be_done(lint: Lint, project: Path) -> None:
    (project / "empty.pt2").write_bytes(b"")
    for words, text in (
        (("missing.pt2",), "missing.pt2: No such file or directory"),
        (("empty.pt2",), "empty.pt2: the file is empty"),
        ((PACKAGE, "--program", PACKAGE), "there is no exported program in it"),
        ((PACKAGE, "--model", "modle"), "it has no model 'modle', only model; did you mean 'model'?"),
        ((PACKAGE, "-o", "no/such/folder.py"), "No such file or directory"),
    ):
        result = lint("contract", *words)
        assert (result.code, result.out) == (2, ""), words
        assert text in result.err


def test_weights(lint: Lint, project: Path) -> None:
    (project / "none.safetensors").write_bytes((2).to_bytes(8, "little") + b"{}")
    assert lint("contract", PACKAGE, "--weights", "none.safetensors") == Result(
        0, "none.safetensors has the weights of the model model.\n", ""
    )
    more = str(ARCHIVES.parents[1] / "weights" / "saved" / "state_2.pt")
    result = lint("contract", PACKAGE, "--weights", more)
    assert result.code == 1
    assert 'unexpected (raises): "embed.weight" (5, 4) is nothing the package knows' in result.out
    found = json.loads(lint("contract", PACKAGE, "--weights", more, "--output-format", "json").out)
    assert {"name", "kind", "outcome", "message", "fix"} == set(found[0])
    for words, text in (
        (("--weights", "missing.pt"), "missing.pt: No such file"),
        (("--weights", more, "--cpp"), "goes with none of -o, --cpp and --program"),
    ):
        result = lint("contract", PACKAGE, *words)
        assert (result.code, result.out) == (2, "")
        assert text in result.err
    assert "there is no package in it" in lint("contract", PROGRAM, "--weights", more).err
