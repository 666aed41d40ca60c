"""What torch says, by release, and the rules that speak of it."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from aoti_lint.catalogue.registry import load
from aoti_lint.torch_api import messages
from aoti_lint.torch_api.messages import MESSAGES, said, versions
from aoti_lint.torch_api.versions import SUPPORTED

ROOT = Path(__file__).parents[2]


def test_every_message_has_releases_and_rules() -> None:
    codes = load().names
    for message in MESSAGES:
        assert versions(message), message.text
        assert set(message.rules) <= codes.keys(), message.text
    assert len({message.text for message in MESSAGES}) == len(MESSAGES)


@pytest.mark.parametrize(
    ("text", "there"),
    [
        ("Exporting a ScriptModule is not supported", "2.5\N{EN DASH}2.15"),
        ("Only ExportedProgram is supported", "2.6\N{EN DASH}2.15"),
        ("Guard failed: ", "2.9\N{EN DASH}2.15"),
    ],
)
def test_releases(text: str, there: str) -> None:
    (message,) = [one for one in MESSAGES if one.text == text]
    assert str(versions(message)) == there


def test_a_message_is_found_as_torch_prints_it() -> None:
    printed = (
        "torch._dynamo.exc.UserError: Expecting `args` to be a tuple of example positional inputs, got <class 'list'>."
    )
    assert [one.rules for one in said(printed)] == [("AOTI214",)]
    assert [one.rules for one in said("Unable to call ExportedProgram")] == [("AOTI216",)]
    assert said("got ") == []
    assert said("a text that torch does not know") == []


@pytest.mark.skipif(find_spec("torch") is None, reason="torch is not installed")
def test_the_installed_torch_gives_the_same(tmp_path: Path) -> None:
    spec = find_spec("torch")
    assert spec is not None
    assert spec.origin is not None
    output = tmp_path / "messages.json"
    place = Path(spec.origin).parents[1]
    words = [sys.executable, "scripts/make_torch_messages.py", str(place), "--output", str(output)]
    subprocess.run(words, cwd=ROOT, check=True)
    made = json.loads(output.read_text(encoding="utf-8"))
    (minor,) = made["releases"]
    if minor not in SUPPORTED:
        pytest.skip(f"torch {minor} is not one of the releases the data are about")
    for message in MESSAGES:
        assert bool(made["messages"][message.text]) == (minor in versions(message)), message.text


def test_a_message_leads_to_its_rules(capsys: pytest.CaptureFixture[str]) -> None:
    from aoti_lint.cli.main import main

    assert main(["explain", "ValueError: Only ExportedProgram is supported"]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("Only ExportedProgram is supported is a message of torch 2.6")
    assert "AOTI204 not-an-exported-program" in printed


def test_the_data_are_read_when_asked_for() -> None:
    messages._data.cache_clear()
    said("nothing that torch would ever say")
    assert messages._data.cache_info().currsize == 0


def test_a_message_that_triage_knows_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    from aoti_lint.cli.main import main

    message = "RuntimeError: input_handles[0]: unmatched dtype, expected: 6(at::kFloat), but got: 7"
    assert main(["explain", message]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("the package is called with another dtype than its example (cause dtype-of-input")
    assert "AOTI331 input-of-other-dtype" in printed
