"""What an edit costs in a session, beside a check from scratch: `python -m benchmarks.session`."""

from __future__ import annotations

import argparse
import os
import random
import resource
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median

from aoti_lint.config import Config
from aoti_lint.engine.check import check
from aoti_lint.options import Options
from aoti_lint.session import Session
from benchmarks import trees

SCRIPT = """\
import torch
from torchao.quantization import Int8WeightOnlyConfig, quantize_

model = torch.nn.Sequential(torch.nn.Linear(64, 64), torch.nn.ReLU())
quantize_(model, Int8WeightOnlyConfig())
program = torch.export.export(model, (torch.randn(2, 64),))
path = torch._inductor.aoti_compile_and_package(program)
print(torch._inductor.aoti_load_package(path)(torch.randn(2, 64)))
"""
HELPER = """\

def helper_{0}(x, scale={0}):
    y = x.relu() * scale
    return torch.cat([y, x]).sum()
"""
HELPERS = 73
"""So many make the script one of 300 lines."""


def main(words: Sequence[str] | None = None) -> int:
    """Measure and print; gives 1 when an edit costs more than a tenth of a check from scratch."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.session", description=__doc__)
    parser.add_argument("--tree", type=Path, help=f"the tree to edit; default: {trees.TREE}, downloaded")
    parser.add_argument("--keys", type=int, default=100, help="keystrokes in the script")
    parser.add_argument("--edits", type=int, default=20, help="edits of files of the tree, all of it checked each time")
    arguments = parser.parse_args(words)
    with tempfile.TemporaryDirectory(prefix="aoti-lint-benchmark-") as folder:
        work = Path(folder).resolve()
        source = arguments.tree.resolve() if arguments.tree is not None else trees.default_tree(work)
        tree = work / "edited"
        shutil.copytree(source, tree)
        (tree / "pyproject.toml").touch()
        os.chdir(tree)
        keys = in_editor(arguments.keys)
        edits = in_tree(tree, arguments.edits)
    return max(keys, edits) > 0.1


def in_editor(keys: int) -> float:
    """Type into a script beside the tree; gives what a keystroke costs, as a part of a check from scratch."""
    text = SCRIPT + "".join(map(HELPER.format, range(HELPERS)))
    session = Session(Options([], Config(), cache=False))
    session.open("script.py", text)
    first, _ = spent(session.diagnostics)
    taken = []
    for key in range(keys):
        session.edit("script.py", f"{text}value_{key} = {'x' * (key % 40)!r}\n")
        taken.append(spent(session.diagnostics))
    return told(f"a keystroke in a script of {text.count(chr(10))} lines", first, taken)


def in_tree(tree: Path, edits: int) -> float:
    """Edit files of the tree and check all of it each time; gives what an edit costs, as a part of a whole check."""
    options = Options(["."], Config(), cache=False)
    session = Session(options)
    session.diagnostics()
    whole, _ = spent(lambda: check(options))
    pick, files, taken = random.Random(0), trees.python_files(tree), []
    for edit in range(edits):
        path = pick.choice(files)
        path.write_bytes(path.read_bytes() + f"\nvalue_{edit} = {edit}\n".encode())
        taken.append(spent(session.diagnostics))
    return told(f"an edit of one of {len(files)} files, all checked", whole, taken)


def spent(run: Callable[[], object]) -> tuple[float, float]:
    """The CPU seconds of this process, and those on the clock."""
    cpu, clock = time.process_time(), time.perf_counter()
    run()
    return time.process_time() - cpu, time.perf_counter() - clock


def told(job: str, scratch: float, taken: Sequence[tuple[float, float]]) -> float:
    """Print what a job took beside a check from scratch; gives the median ratio."""
    clock = sorted(seconds for _, seconds in taken)
    ratio = median(cpu for cpu, _ in taken) / scratch
    late = clock[int(len(clock) * 0.95)]
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1024 if sys.platform != "darwin" else 1 << 20)
    print(
        f"{job}: {ratio:.3f} of a check from scratch ({scratch:.2f} CPU s); on the clock "
        f"{median(clock) * 1000:.0f} ms, 95% below {late * 1000:.0f} ms; {peak:.0f} MiB"
    )
    return ratio


if __name__ == "__main__":
    raise SystemExit(main())
