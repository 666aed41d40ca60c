"""Environment variables from outside Python: `--env`, the configuration, and files that start scripts."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from aoti_lint.catalogue.registry import Registry, load
from aoti_lint.config import Config
from aoti_lint.diagnostics import Confidence, Diagnostic, Outcome, Severity
from aoti_lint.engine.run import Run
from aoti_lint.machine.facts import Facts
from aoti_lint.options import Options
from aoti_lint.rule import Rule
from aoti_lint.values.events.packages import CallEvent
from aoti_lint.values.events.process import EnvWrite
from aoti_lint.values.values import Const, Unknown
from tests.cli.conftest import Result

Lint = Callable[..., Result]

SERVE = """\
import os
import torch

model = torch._inductor.aoti_load_package(
    torch._inductor.aoti_compile_and_package(
        torch.export.export(torch.nn.Linear(2, 2).to("cuda"), (torch.randn(2, 2, device="cuda"),))
    )
)
"""
CALL = 'model(torch.randn(2, 2, device=os.environ.get("DEVICE", "cpu")))\n'
MAIN = f'def main():\n    {CALL}\nif __name__ == "__main__":\n    main()\n'


@pytest.fixture
def serve(project: Path) -> Path:
    write(project, "serve.py", SERVE + CALL)
    return project


def write(project: Path, name: str, text: str) -> None:
    path = project / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def found(result: Result) -> list[tuple[str, str]]:
    """Code and confidence of each finding."""
    return [(item["code"], item["confidence"]) for item in json.loads(result.out)["diagnostics"]]


def facts(*paths: str, **environment: str) -> Facts:
    """The facts of a run over these paths."""
    run = Run(Options(paths, Config(), environment=environment, cache=False))
    return run.facts(run.target())


# ---------------------------------------------------------------- --env


def test_a_variable_of_the_command_line_decides(serve: Path, lint: Lint) -> None:
    json_ = ("--output-format", "json", "serve.py")
    assert found(lint(*json_)) == [("AOTI102", "likely")]
    assert found(lint("--env", "DEVICE=cpu", *json_)) == [("AOTI102", "certain")]
    assert found(lint("--env", "OTHER=1", "--env", "DEVICE=cuda", *json_)) == []
    assert lint("serve.py", "--env", "DEVICE=cuda").code == 0
    assert lint("serve.py").code == 1


def test_modules_and_functions_see_it_too(project: Path, lint: Lint) -> None:
    write(project, "settings.py", 'import os\nDEVICE = os.environ["DEVICE"]\n')
    write(project, "serve.py", f"from settings import DEVICE\n{SERVE}model(torch.randn(2, 2, device=DEVICE))\n")
    assert found(lint("--env", "DEVICE=cpu", "--output-format", "json", ".")) == [("AOTI102", "certain")]
    assert found(lint("--env", "DEVICE=cuda", "--output-format", "json", ".")) == []


def test_an_empty_value_is_one(project: Path) -> None:
    write(project, "x.py", 'import os\nimport torch\nos.environ["SEEN"] = os.environ.get("A", "none")\ntorch.export\n')
    for value in ("", "1", "a=b"):
        seen = [e.value for e in facts("x.py", A=value).of(EnvWrite)]
        assert seen == [Const(value)]


@pytest.mark.parametrize("word", ["DEVICE", "=1", ""])
def test_a_word_without_a_value_is_wrong_usage(serve: Path, lint: Lint, word: str) -> None:
    result = lint("--env", word, "serve.py")
    assert result.code == 2
    assert f"{word!r} is no NAME=VALUE" in result.err


def test_the_configuration_says_it_and_the_command_line_has_the_last_word(serve: Path, lint: Lint) -> None:
    write(serve, "aoti-lint.toml", 'environment = {DEVICE = "cuda"}\ntorch-version = "2.13"\n')
    assert lint("serve.py").code == 0
    assert found(lint("--env", "DEVICE=cpu", "serve.py", "--output-format", "json")) == [("AOTI102", "certain")]
    write(serve, "aoti-lint.toml", "environment = {DEVICE = 1}\n")
    result = lint("serve.py")
    assert result.code == 2
    assert 'environment must be a table of texts, such as {DEVICE = "cuda"}' in result.err


def test_the_flag_for_checked_inputs_counts_as_set(serve: Path) -> None:
    (event,) = facts("serve.py", AOTI_RUNTIME_CHECK_INPUTS="1").of(CallEvent)
    assert event.checked == Const("1")


# ---------------------------------------------------------------- files


def test_a_script_is_judged_with_what_starts_it(serve: Path, lint: Lint) -> None:
    words = ("--output-format", "json", "run.sh", "serve.py")
    write(serve, "run.sh", "export DEVICE=cuda\npython serve.py\n")
    assert found(lint(*words)) == []
    write(serve, "run.sh", "export DEVICE=cpu\npython serve.py\n")
    assert found(lint(*words)) == [("AOTI102", "certain")]
    write(serve, "run.sh", "export DEVICE=cpu\npython other.py\n")
    assert found(lint(*words)) == [("AOTI102", "likely")]


def test_files_are_read_only_when_they_are_named(serve: Path, lint: Lint) -> None:
    write(serve, "run.sh", "DEVICE=cuda python serve.py\n")
    write(serve, ".env", "{\n")
    assert lint(".").code == 1
    assert lint(".", "run.sh").code == 0


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("scripts/run", "#!/bin/bash\nset -e\ncd ..\nDEVICE=cuda python serve.py\n"),
        ("Dockerfile", 'FROM x\nWORKDIR /app\nCOPY . .\nENV DEVICE=cuda\nCMD ["python", "serve.py"]\n'),
        (
            ".github/workflows/ci.yml",
            "jobs:\n  a:\n    env: {DEVICE: cuda}\n    steps:\n      - run: python serve.py\n",
        ),
        (".gitlab-ci.yml", "variables: {DEVICE: cuda}\na:\n  script: [python serve.py]\n"),
        ("deploy/compose.yaml", "services:\n  a:\n    environment: [DEVICE=cuda]\n    command: python /app/serve.py\n"),
        ("run.sh", "DEVICE=cuda python -m serve\n"),
        ("run.sh", "DEVICE=$1 python serve.py\n"),
    ],
)
@pytest.mark.parametrize("body", [CALL, MAIN])
def test_every_kind_of_file(project: Path, lint: Lint, name: str, text: str, body: str) -> None:
    write(project, "serve.py", SERVE + body)
    write(project, name, text)
    assert lint("serve.py").code == 1
    assert lint(name, "serve.py").code == 0


@pytest.mark.parametrize(
    ("text", "confidence"),
    [
        # The second start surely raises.
        ("DEVICE=cuda python serve.py\nDEVICE=cpu python serve.py\n", "certain"),
        ("DEVICE=cuda python serve.py\npython serve.py\n", "likely"),
        ("if x; then export DEVICE=cuda; fi\npython serve.py\n", "likely"),
        ("export DEVICE=cuda\npython /other/serve.py\n", "likely"),
    ],
)
def test_what_starts_do_not_agree_on_is_open(serve: Path, lint: Lint, text: str, confidence: str) -> None:
    write(serve, "run.sh", text)
    assert found(lint("--output-format", "json", "run.sh", "serve.py")) == [("AOTI102", confidence)]


def test_events_come_first_and_point_outside(project: Path) -> None:
    write(project, "serve.py", 'import os\nos.environ["B"] = "1"\n' + SERVE + MAIN)
    write(project, "run.sh", "export DEVICE=cpu X=$1\nif x; then export Y=1; fi\npython serve.py\n")
    made = facts("run.sh", "serve.py")
    events = [e for e in made.events if e.root == "serve.py"]
    outside = [e for e in events if isinstance(e, EnvWrite) and e.target == "outside"]
    assert [e.name for e in outside] == ["DEVICE", "X"]
    assert events[: len(outside)] == outside
    orders = [e.order for e in made.events]
    assert orders == sorted(set(orders))
    first, second = outside
    assert (first.value, first.span.path, first.path, first.chain) == (Const("cpu"), "run.sh", {}, ())
    assert isinstance(second.value, Unknown)
    assert "export DEVICE=cpu"[first.span.start : first.span.end] == "DEVICE=cpu"
    assert [(a.name, a.command, a.conditional) for a in made.assignments] == [
        ("DEVICE", "serve.py", False), ("X", "serve.py", False), ("Y", "serve.py", True),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("run.sh", b"if [ x\n", "not understood as shell"),
        ("run.sh", b"\xff", "not valid utf-8: byte 0xff in line 1"),
        ("Dockerfile", b"FROM x\nWHAT\n", "no instruction of a Dockerfile"),
        (".env", b"a b\n", "this line is no NAME=value"),
        ("ci.yml", b"jobs: [\n", "this is no valid YAML"),
        ("ci.yml", b"jobs:\0\n", "holds a null character, which does not belong in a pipeline"),
    ],
)
def test_what_cannot_be_read_is_an_error(serve: Path, lint: Lint, name: str, data: bytes, message: str) -> None:
    (serve / name).write_bytes(data)
    for paths in ([name], [name, "serve.py"]):
        result = lint(*paths)
        assert result.code == 2
        assert message in result.out


def test_standard_input_may_be_one(serve: Path) -> None:
    run = Run(Options(["-"], Config(), stdin=b"A=1 python torch_export.py\n", stdin_filename="run.sh"))
    assert [made.name for made in run.facts(run.target()).assignments] == ["A"]
    assert run.document()["diagnostics"] == []
    assert not run.project.problems


def test_a_file_that_may_not_be_opened_is_an_error(serve: Path, lint: Lint, monkeypatch: pytest.MonkeyPatch) -> None:
    write(serve, "run.sh", "python serve.py\n")
    opened = os.open

    def refuse(path: Any, *rest: Any, **more: Any) -> Any:
        if str(path).endswith("run.sh"):
            raise PermissionError(13, "Permission denied")
        return opened(path, *rest, **more)

    monkeypatch.setattr(os, "open", refuse)
    result = lint("run.sh", "serve.py", "--no-cache")
    assert result.code == 2
    assert "run.sh: Permission denied" in result.out


def test_a_remembered_run_sees_a_changed_file(serve: Path, lint: Lint, analysed: list[str]) -> None:
    write(serve, "run.sh", "DEVICE=cuda python serve.py\n")
    assert lint("run.sh", "serve.py").code == 0
    assert lint("run.sh", "serve.py").code == 0
    assert len(analysed) == 1
    write(serve, "run.sh", "DEVICE=cpu python serve.py\n")
    assert lint("run.sh", "serve.py").code == 1
    assert lint("run.sh", "serve.py", "--env", "A=1").code == 1
    assert len(analysed) == 3


# ---------------------------------------------------------------- findings in such files


class Shouted(Rule):
    """A variable is in capitals.

    Only for tests.
    """

    code = "AOTI999"
    name = "shouted-variable"

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        for made in facts.assignments:
            if made.name == "LOUD":
                yield Diagnostic(
                    code=self.code, name=self.name, severity=Severity.WARNING, confidence=Confidence.CERTAIN,
                    outcome=Outcome.NO_EFFECT, message="so loud", span=made.span, label="here", help="",
                )  # fmt: skip


@pytest.fixture
def shouted(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    registry = Registry()
    for rule in load():
        registry.add(type(rule), "aoti_lint")
    registry.add(Shouted, "this test")
    monkeypatch.setattr("aoti_lint.catalogue.registry.load", lambda *_: registry)


@pytest.mark.usefixtures("shouted")
def test_a_finding_shows_the_line(project: Path, lint: Lint) -> None:
    write(project, "run.sh", "#!/bin/sh\nexport LOUD=1\n")
    result = lint("run.sh", "--no-cache")
    assert result.code == 1
    assert " --> run.sh:2:8 (shouted-variable)\n  |\n2 | export LOUD=1\n  |        ^^^^^^ here\n" in result.out


@pytest.mark.usefixtures("shouted")
@pytest.mark.parametrize(
    ("name", "text", "code"),
    [
        ("run.sh", "export LOUD=1 # aoti-lint: ignore[AOTI999]\n", 0),
        ("run.sh", "# aoti-lint: ignore[shouted-variable]\nexport LOUD=1\n", 0),
        ("run.sh", "# aoti-lint: ignore-file[AOTI999]\n\nexport LOUD=1\n", 0),
        ("run.sh", "# aoti-lint: ignore[AOTI999]\n\nexport LOUD=1\n", 1),
        ("Dockerfile", "FROM x\n# aoti-lint: ignore[AOTI999]\nENV LOUD=1\n", 0),
        (".env", "LOUD=1 # aoti-lint: ignore[AOTI999]\n", 0),
        ("ci.yml", "env:\n  LOUD: 1 # aoti-lint: ignore[AOTI999]\njobs: {}\n", 0),
    ],
)
def test_comments_suppress(project: Path, lint: Lint, name: str, text: str, code: int) -> None:
    write(project, name, text)
    assert lint(name, "--no-cache").code == code


@pytest.mark.usefixtures("shouted")
def test_a_comment_that_suppresses_nothing_is_told(project: Path, lint: Lint) -> None:
    write(project, "run.sh", "export QUIET=1 # aoti-lint: ignore[AOTI999]\n")
    result = lint("run.sh", "--no-cache", "--output-format", "json")
    assert found(result) == [("AOTI001", "certain")]


ALONE = {
    "env.sh": "export TORCHINDUCTOR_FREEZING=on\n",
    ".env": "TORCHINDUCTOR_FREEZING=on\n",
    "Dockerfile": "FROM python\nENV TORCHINDUCTOR_FREEZING=on\n",
    "Makefile": "export TORCHINDUCTOR_FREEZING=on\n",
}


@pytest.mark.parametrize("name", ALONE)
def test_a_file_that_starts_nothing_is_judged_where_it_alone_is_named(project: Path, lint: Lint, name: str) -> None:
    (project / "export.py").write_text("import torch\ntorch.export.export(m, (x,))\n", encoding="utf-8")
    (project / name).write_text(ALONE[name], encoding="utf-8")
    told = [json.loads(lint(*words, "--no-cache", "--output-format", "json").out) for words in ((name,), (".",))]
    first, second = ([(one["code"], one["filename"], one["severity"]) for one in each["diagnostics"]] for each in told)
    assert first == second == [("AOTI504", name, "warning")]
    assert "AOTI504 flag-value" in lint(".", "--why-silent", f"{name}:{ALONE[name].count(chr(10))}").out
