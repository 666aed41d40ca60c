"""Scripts that a shell script, a Dockerfile or a pipeline starts, with the words and variables it gives them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judging import lint_files

BUILD = """
import sys
import torch

program = torch.export.export(torch.nn.Linear(4, 2).eval(), (torch.randn(1, 4),))
torch._inductor.aoti_compile_and_package(program, package_path=sys.argv[1])
"""
SAVE = """
import argparse
import torch

parser = argparse.ArgumentParser()
parser.add_argument("--out", required=True)
parser.add_argument("--batch", type=int, default=2)
args = parser.parse_args()
program = torch.export.export(torch.nn.Linear(4, 2).eval(), (torch.randn(args.batch, 4),))
torch.export.save(program, args.out)
"""
LOAD = "import sys\nimport torch\n\nprint(torch.export.load(sys.argv[1]).module()(torch.ones(1, 4)))\n"
TWO = {"build.py": BUILD, "serve.py": LOAD}


def found(tmp_path: Path, files: dict[str, str]) -> list[tuple[str, str, int, str]]:
    """Code, file, row and confidence of the errors and warnings."""
    tmp_path.mkdir(exist_ok=True)
    told = lint_files(tmp_path / "run", files, ["."])
    return [(one.code, one.file, one.row, one.confidence) for one in told if one.severity in ("error", "warning")]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("run.sh", 'set -e\nPKG=/tmp/model.pt2\npython build.py "$PKG"\npython serve.py "$PKG"\n'),
        ("run.sh", "python -u build.py out/model.pt2 && CUDA_VISIBLE_DEVICES= python3 serve.py out/model.pt2\n"),
        ("run.sh", "name=model\npython build.py $name.pt2\ntimeout 60 python serve.py ${name}.pt2 > log.txt\n"),
        ("run.sh", 'here=$(dirname "$0")\npython build.py "$here/model.pt2"\npython serve.py "$here/model.pt2"\n'),
        ("ci/run.sh", 'D=$(cd "$(dirname "$0")" && pwd)\npython build.py "$D/a.pt2"\npython serve.py "$D/a.pt2"\n'),
        ("run.sh", "go() { python serve.py a.pt2; }\npython build.py a.pt2\ngo\n"),
        ("Makefile", "PKG ?= model.pt2\nserve: build\n\tpython serve.py $(PKG)\nbuild:\n\tpython build.py $(PKG)\n"),
        ("run.sh", 'PKG=${1:-model.pt2}\npython build.py "$PKG"\npython serve.py "$PKG"\n'),
        ("run.sh", ': "${PKG:=model.pt2}"\npython build.py "$PKG"\npython serve.py "${PKG}"\n'),
        ("run.sh", "if python build.py a.pt2; then echo; fi; python serve.py a.pt2\n"),
        (
            ".github/workflows/ci.yml",
            "jobs:\n  a:\n    steps:\n      - run: python build.py model.pt2\n      - run: python serve.py model.pt2\n",
        ),
    ],
)
def test_what_one_writes_the_next_one_reads(tmp_path: Path, name: str, text: str) -> None:
    assert found(tmp_path, {**TWO, name: text}) == [("AOTI616", "serve.py", 4, "certain")]


@pytest.mark.parametrize(
    "text",
    [
        # Another file, or nobody knows which.
        "python build.py a.pt2\npython serve.py b.pt2\n",
        'python build.py "$1"\npython serve.py "$2"\n',
        "A=${A:-$B}\npython build.py $A\npython serve.py $A\n",
        "python build.py $ARGS model.pt2\npython serve.py model.pt2\n",
        'python build.py "$@"\npython serve.py "$@"\n',
        "python build.py *.pt2\npython serve.py *.pt2\n",
        "python build.py {a,b}.pt2\npython serve.py {a,b}.pt2\n",
        # Surely only where it fails.
        "python build.py a.pt2 || python serve.py a.pt2\n",
        # Not started.
        "# python build.py a.pt2\n# python serve.py a.pt2\n",
        "echo python build.py a.pt2\necho python serve.py a.pt2\n",
        "python other/build.py a.pt2\npython other/serve.py a.pt2\n",
        "cat <<END\npython build.py a.pt2\npython serve.py a.pt2\nEND\n",
        # Not understood.
        "python build.py a.pt2\npython serve.py a.pt2\nif [ ; then ((\n",
    ],
)
def test_nothing_is_said_of_what_is_not_known(tmp_path: Path, text: str) -> None:
    assert found(tmp_path, {**TWO, "run.sh": text}) == []


def test_what_may_not_be_reached_is_no_error(tmp_path: Path) -> None:
    text = 'python build.py a.pt2\nif [ -n "$TRY" ]; then python serve.py a.pt2; fi\n'
    told = found(tmp_path, {**TWO, "run.sh": text})
    assert told in ([], [("AOTI616", "serve.py", 4, "likely")])


def test_options_are_parsed_as_the_script_parses_them(tmp_path: Path) -> None:
    files = {"save.py": SAVE, "serve.py": LOAD}
    tries = iter(range(9))
    for words, wrong in (("--out a.pt2", True), ("--out=a.pt2 --batch 3", True), ("--batch 1 --out a.pt2", False)):
        text = f"python save.py {words}\npython serve.py a.pt2\n"
        told = [code for code, *_ in found(tmp_path / str(next(tries)), {**files, "run.sh": text})]
        assert told == (["AOTI301"] if wrong else []), words


def test_every_start_is_a_process_of_its_own(tmp_path: Path) -> None:
    ops = """
import torch

@torch.library.custom_op("mylib::twice", mutates_args=())
def twice(x: torch.Tensor) -> torch.Tensor:
    return x * 2

@twice.register_fake
def _(x):
    return torch.empty_like(x)
"""
    save = """
import sys
import torch
from ops import twice

class Net(torch.nn.Module):
    def forward(self, x):
        return twice(x)

torch.export.save(torch.export.export(Net(), (torch.ones(1, 4),)), sys.argv[1])
"""
    run = "python save.py a.pt2\npython serve.py a.pt2\n"
    files = {"ops.py": ops, "save.py": save, "run.sh": run}
    assert found(tmp_path / "1", {**files, "serve.py": LOAD}) == [("AOTI420", "serve.py", 4, "certain")]
    assert found(tmp_path / "2", {**files, "serve.py": f"import ops\n{LOAD}"}) == []


def test_a_script_is_not_run_for_every_set_of_words(tmp_path: Path) -> None:
    starts = "".join(f"python build.py {n}.pt2\npython serve.py {n}.pt2\n" for n in range(50))
    assert found(tmp_path, {**TWO, "run.sh": starts}) == [("AOTI616", "serve.py", 4, "certain")]
