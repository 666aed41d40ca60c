"""Keep everything that is said of a fixed set of programs and trees, and tell what a change made different.

    python scripts/snapshot.py take BEFORE.json [--trees FOLDER] [--jobs N]
    python scripts/snapshot.py compare BEFORE.json [--trees FOLDER] [--jobs N]

A change that only moves code leaves every report as it was, to the byte: `take` before the first move, `compare` after
each. The programs are those that this repository has labels or examples of (`tests/metamorphic/programs.py`). Each is
checked alone, and all are checked together three times: in their order, in the reverse of it, and under other names.
With `--trees` the packages in `TREES` are checked as well; they are downloaded into FOLDER once, and nothing of them is
run. The reports are whole documents with `--pedantic` and `--coverage`.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import multiprocessing
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

from aoti_lint.config import Config
from aoti_lint.engine.check import check
from aoti_lint.options import Options
from tests.metamorphic.programs import Program, programs
from tests.metamorphic.verdicts import TORCH, write
from tests.sweep.review import unpack

TREES = ("torchao==0.18.0", "torchrec==1.9.2", "torchtitan==0.3.0")
"""Packages of the registry, with many custom ops, many files and many configurations."""
BATCHES = 8
"""The pieces in which the programs are checked alone, so that several processes have something to do."""
MAX_SHOWN = 40
"""Differences that are printed for one report."""

Reports = dict[str, Any]
"""By the name of an arrangement and what was checked in it: the document, without where the folder lies."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("verb", choices=("take", "compare"))
    parser.add_argument("file", type=Path)
    parser.add_argument("--trees", type=Path, help="where the packages lie, or are downloaded to")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    started = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        now = reports(Path(folder).resolve(), options.trees, options.jobs)
    print(f"{len(now)} reports in {time.perf_counter() - started:.0f} s")
    if options.verb == "take":
        options.file.write_text(json.dumps(now, indent=0, sort_keys=True), encoding="utf-8")
        return 0
    different = list(differences(json.loads(options.file.read_text(encoding="utf-8")), now))
    print("\n".join(different) or "every report is what it was")
    return 1 if different else 0


def reports(folder: Path, trees: Path | None, jobs: int) -> Reports:
    """Check everything, in the empty `folder`, and in the packages below `trees` if these are wanted."""
    work: list[tuple[Callable[..., Reports], tuple[object, ...]]] = []
    if trees is not None:
        work += [(tree, (one, trees)) for one in TREES]
    work += [(together, (name, folder)) for name in NAMINGS]
    work += [(alone, (number, folder)) for number in range(BATCHES)]
    found: Reports = {}
    with multiprocessing.get_context("spawn").Pool(jobs) as pool:
        for result in [pool.apply_async(function, arguments) for function, arguments in work]:
            found.update(result.get())
    return found


def alone(batch: int, folder: Path) -> Reports:
    """Each program of a batch in a folder of its own."""
    found: Reports = {}
    for program in list(programs().values())[batch::BATCHES]:
        home = folder / f"alone-{hashlib.sha1(program.name.encode()).hexdigest()}"
        write(home, {"setup.cfg": "", **program.files})
        found[f"alone: {program.name}"] = document(home)
    return found


def together(naming: str, folder: Path) -> Reports:
    """All programs below one folder, as one project, in folders that are named by `naming`."""
    home = folder / naming
    every = list(programs().values())
    write(home, {"setup.cfg": ""})
    for number, program in enumerate(every):
        write(home / NAMINGS[naming](number, program), program.files)
    return {f"together, {naming}": document(home)}


NAMINGS: dict[str, Callable[[int, Program], str]] = {
    "in their order": lambda number, _: f"p{number:04}",
    "in reverse": lambda number, _: f"p{9999 - number:04}",
    "renamed": lambda _, program: "n" + hashlib.sha1(program.name.encode()).hexdigest()[:12],
}


def tree(requirement: str, trees: Path) -> Reports:
    """The files of a package, downloaded if they are not there yet."""
    home = trees.resolve() / requirement
    if not home.is_dir():
        with tempfile.TemporaryDirectory() as folder:
            words = ["download", "--quiet", "--no-deps", "--only-binary", ":all:", "--dest", folder, requirement]
            subprocess.run([sys.executable, "-m", "pip", *words], check=True)
            (wheel,) = Path(folder).iterdir()
            unpack(wheel, home)
    return {f"tree {requirement}": document(home)}


def document(home: Path) -> dict[str, Any]:
    """The report of all below a folder, as it would be wherever that folder lay."""
    options = Options([str(home)], Config(), cache=False, torch_version=TORCH, pedantic=True, coverage=True)
    text = json.dumps(check(options).document)
    inside = json.dumps(os.path.relpath(home))[1:-1]
    found: dict[str, Any] = json.loads(text.replace(f"{inside}/", "").replace(json.dumps(str(home))[1:-1], "."))
    return found


def differences(before: Reports, now: Reports) -> Iterator[str]:
    """What is otherwise, report by report, as the entries that went and came."""
    for name in sorted({*before, *now}):
        old, new = Counter(_entries(before.get(name))), Counter(_entries(now.get(name)))
        lines = [f"- {one}" for one in (old - new).elements()] + [f"+ {one}" for one in (new - old).elements()]
        if lines:
            yield f"== {name}: {len(lines)} differences"
            yield from lines[:MAX_SHOWN]
        elif before.get(name) != now.get(name):
            yield f"== {name}: in another order"


def _entries(value: object, name: str = "") -> Iterator[str]:
    """The parts of a document, each on a line with the names that lead there."""
    if isinstance(value, dict) and name.count(".") < 2:
        for key, inner in value.items():
            yield from _entries(inner, f"{name}.{key}")
    elif isinstance(value, list):
        for inner in value:
            yield f"{name} {json.dumps(inner, sort_keys=True)}"
    else:
        yield f"{name} {json.dumps(value, sort_keys=True)}"


if __name__ == "__main__":
    sys.exit(main())
