"""What is said of files outside Python that lie in a named folder, and would count if they were named."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Result

Lint = Callable[..., Result]
EXPORTS = """import os
import torch

device = os.environ.get("DEVICE", "cpu")
torch.export.export(torch.nn.Linear(8, 8).to(device), (torch.randn(2, 8, device=device),))
"""


def notes(lint: Lint, *words: str) -> list[str]:
    (told,) = [json.loads(lint(*words, "--output-format", "json").out)["summary"]["notes"]]
    return [note for note in told if "judged without" in note]


@pytest.mark.parametrize(
    ("name", "text", "variable"),
    [
        ("run.sh", "export TORCHINDUCTOR_MAX_AUTOTUNE=1\n", "TORCHINDUCTOR_MAX_AUTOTUNE"),
        ("deep/er/Dockerfile", "FROM x\nENV TORCH_LOGS=+inductor\n", "TORCH_LOGS"),
        (".github/workflows/ci.yml", "jobs:\n  a:\n    env:\n      TORCH_LOGS: guards\n", "TORCH_LOGS"),
        # Judged as it is started here, and for others nobody knows.
        ("run.sh", "DEVICE=cuda TORCH_LOGS=guards python serve.py\n", None),
        ("run.sh", "TORCH_LOGS=guards python other.py\n", "TORCH_LOGS"),
        ("run.sh", "BATCH=4 python serve.py\n", None),
        ("run.sh", "# TORCH_LOGS=+inductor\necho $TORCH_LOGS\n", None),
        ("run.sh", "export TORCH_CUDA_ARCH_LIST=8.0\nexport TORCH_HOME=/tmp\n", None),
        ("data.yml", "TORCH_LOGS: guards\n", None),
        ("Makefile", "export TORCH_LOGS := guards\n\nall:\n\tmake -C src\n", "TORCH_LOGS"),
    ],
)
def test_a_file_that_would_count_is_told(name: str, text: str, variable: str | None, project: Path, lint: Lint) -> None:
    (project / "serve.py").write_text(EXPORTS, encoding="utf-8")
    (project / name).parent.mkdir(parents=True, exist_ok=True)
    (project / name).write_text(text, encoding="utf-8")
    told = (
        []
        if variable is None
        else [f"{name} sets {variable}: scripts were judged without; name it, too, if it counts for them"]
    )
    assert notes(lint, ".") == told
    assert notes(lint, ".", name) == []
    assert notes(lint, "serve.py") == []


def test_several_are_one_line_and_it_goes_with_them(project: Path, lint: Lint) -> None:
    (project / "serve.py").write_text(EXPORTS, encoding="utf-8")
    for name in ("a.sh", "b.sh", "c.sh"):
        (project / name).write_text("export TORCH_LOGS=guards\n./serve\n", encoding="utf-8")
    (told,) = notes(lint, ".")
    assert told.startswith("a.sh sets TORCH_LOGS, and 2 more files set such variables: ")
    for name in ("b.sh", "c.sh"):
        os.remove(project / name)
    assert notes(lint, ".") == [
        "a.sh sets TORCH_LOGS: scripts were judged without; name it, too, if it counts for them"
    ]


def test_nothing_is_said_where_nothing_is_analysed(project: Path, lint: Lint) -> None:
    (project / "plain.py").write_text("print(1)\n", encoding="utf-8")
    (project / "run.sh").write_text("export TORCH_LOGS=guards\n", encoding="utf-8")
    assert notes(lint, ".") == []


@pytest.mark.parametrize(
    ("name", "text", "code"),
    [
        ("run.sh", "export TORCH_INDUCTOR_FREEZING=1\npython serve.py\n", "AOTI503"),
        ("run.sh", "TORCH_LOGS=+graph_break,recompiles python serve.py\n", "AOTI504"),
        ("deploy/Dockerfile", 'FROM x\nENV TORCHDYNAMO_DISABLED=1\nCMD ["./serve"]\n', "AOTI503"),
        (".env", "TORCHINDUCTOR_FREEZING=true\n", "AOTI504"),
        # A switch that works, and a value that is not known.
        ("run.sh", "export TORCHDYNAMO_DISABLE=1\npython serve.py\n", None),
        ("run.sh", "export TORCH_LOGS=$LEVEL\npython serve.py\n", None),
        # What torch does not read, and says nothing of being torch's.
        ("run.sh", "export TORCH_SERVER_PORT=80\npython serve.py\n", None),
        # Not understood, or not text: nobody named it.
        ("run.sh", "export TORCH_LOGS=guards\nif [ ; then ((\n", None),
        ("run.sh", "export TORCH_LOGS=guards \udcff\n", None),
    ],
)
def test_what_it_sets_is_judged_by_itself(name: str, text: str, code: str | None, project: Path, lint: Lint) -> None:
    (project / "serve.py").write_text(EXPORTS, encoding="utf-8")
    (project / name).parent.mkdir(parents=True, exist_ok=True)
    (project / name).write_text(text, encoding="utf-8", errors="surrogateescape")
    told = json.loads(lint(".", "--output-format", "json").out)
    assert [(one["code"], one["filename"]) for one in told["diagnostics"]] == ([] if code is None else [(code, name)])
    assert told["errors"] == []
    assert json.loads(lint("serve.py", "--output-format", "json").out)["diagnostics"] == []


def test_scripts_are_judged_without_it_and_for_each_start_with_it(project: Path, lint: Lint) -> None:
    script = (
        "import os\nimport torch\n\n"
        "program = torch.export.export(torch.nn.Linear(8, 8), (torch.randn(2, 8),))\n"
        "program.module()(torch.randn(int(os.environ.get('BATCH', '2')), 8))\n"
    )
    (project / "serve.py").write_text(script, encoding="utf-8")
    (project / "run.sh").write_text("export TORCH_LOGS=guards BATCH=3\npython serve.py\n", encoding="utf-8")
    assert json.loads(lint("serve.py", "--output-format", "json").out)["diagnostics"] == []
    (told,) = json.loads(lint(".", "run.sh", "--output-format", "json").out)["diagnostics"]
    assert told["code"] == "AOTI301"
    (told,) = json.loads(lint(".", "--output-format", "json").out)["diagnostics"]
    assert told["code"] == "AOTI301"
    assert [one["location"]["row"] for one in told["related"] if one["filename"] == "run.sh"] == [2]


def test_a_long_word_is_looked_through_once(project: Path, lint: Lint) -> None:
    (project / "serve.py").write_text(EXPORTS, encoding="utf-8")
    (project / "run.sh").write_text(f"python serve.py x\n: {'a' * 500_000}\n", encoding="utf-8")
    assert json.loads(lint(".", "--output-format", "json").out)["diagnostics"] == []
