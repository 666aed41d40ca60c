"""What a large suite of tests costs: `python -m benchmarks.suites [--files N]`.

Every file has fixtures, cases and exports, as generated suites have. The exit code is 1 where a file costs more among
many than among few: something then grows with the pairs of files.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.measure import Command, Sample, run

STEEPEST = 1.25
"""How much more a file may take in the whole suite than in a quarter of it."""
FOLDERS = 30
CONFTEST = """\
import pytest
import torch


@pytest.fixture(scope="session")
def device():
    return "cuda" if torch.cuda.is_available() else "cpu"


@pytest.fixture(autouse=True)
def fresh():
    torch._dynamo.reset()
    yield
"""
SUITE = """\
import pytest
import torch
from torch.export import Dim


class Net(torch.nn.Module):
    def __init__(self, width):
        super().__init__()
        self.first = torch.nn.Linear(width, {width})
        self.second = torch.nn.Linear({width}, width)

    def forward(self, x):
        return self.second(torch.relu(self.first(x))) + {number}


@pytest.fixture(scope="module")
def model(device):
    return Net(16).to(device).eval()


@pytest.fixture(params=[2, 4])
def example(request, device):
    yield torch.randn(request.param, 16, device=device)


@pytest.mark.parametrize("strict", [False, True])
def test_export(model, example, strict):
    dim = Dim("batch", min=2, max=64)
    program = torch.export.export(model, (example,), dynamic_shapes=({{0: dim}},), strict=strict)
    torch.testing.assert_close(program.module()(example), model(example))


@pytest.mark.parametrize("name", ["a", "b"])
def test_package(model, example, name, tmp_path):
    program = torch.export.export(model, (example,))
    path = torch._inductor.aoti_compile_and_package(program, package_path=str(tmp_path / f"{{name}}{number}.pt2"))
    torch.testing.assert_close(torch._inductor.aoti_load_package(path)(example), model(example))
"""


def write(files: int, folder: Path) -> None:
    """Write a suite of so many files of tests into a folder."""
    (folder / "conftest.py").write_text(CONFTEST, encoding="utf-8")
    for number in range(files):
        part = folder / f"part{number % FOLDERS}"
        part.mkdir(exist_ok=True)
        text = SUITE.format(number=number, width=32 + number % 7)
        (part / f"test_model{number}.py").write_text(text, encoding="utf-8")


def main(words: Sequence[str] | None = None) -> int:
    """Measure and print; gives 1 when a file costs more among many."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.suites", description=__doc__)
    parser.add_argument("--files", type=int, default=3_000, metavar="N", help="files of the suite (default: 3000)")
    arguments = parser.parse_args(words)
    start = _measured(1)
    costs: list[float] = []
    for files in (arguments.files // 4, arguments.files):
        sample = _measured(files)
        costs.append((sample.cpu - start.cpu) / files * 1_000)
        print(
            f"{files:6} files: {sample.cpu:7.1f} CPU s, {costs[-1]:5.1f} ms a file, {sample.peak_mib:5.0f} MiB",
            flush=True,
        )
    return 0 if costs[-1] <= costs[0] * STEEPEST else 1


def _measured(files: int) -> Sample:
    """What a suite of so many files takes, with nothing in the cache."""
    with tempfile.TemporaryDirectory(prefix="aoti-lint-suites-") as name:
        folder = Path(name)
        write(files, folder)
        words = ["check", ".", "--no-cache", "--no-config", "--output-format", "json", "--exit-zero"]
        return run(Command([sys.executable, "-m", "aoti_lint", *words], folder=folder))


if __name__ == "__main__":
    raise SystemExit(main())
