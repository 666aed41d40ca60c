"""Compare the CPU time of aoti-lint with that of ruff and TorchFix: `python -m benchmarks.run`."""

from __future__ import annotations

import argparse
import json
import random
import shutil
import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from benchmarks import edits, trees
from benchmarks.measure import Aim, Command, Row, in_turn, run, scaled
from benchmarks.table import document, table
from benchmarks.tools import Tools, install

INPUTS = Path(__file__).parent / "inputs"
SAMPLE = 12
"""TorchFix is given every so-many-th file of the tree by size, unless `--full` is given."""


def main(words: Sequence[str] | None = None) -> int:
    """Measure, print the tables, and write the JSON; gives 1 when an aim is missed."""
    arguments = _parser().parse_args(words)
    if arguments.work is not None:
        arguments.work.mkdir(parents=True, exist_ok=True)
        return _run(arguments, arguments.work.resolve())
    with tempfile.TemporaryDirectory(prefix="aoti-lint-benchmark-") as folder:
        return _run(arguments, Path(folder).resolve())


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.run", description=__doc__)
    parser.add_argument("--tree", type=Path, help=f"the tree to check; default: {trees.TREE}, downloaded")
    parser.add_argument(
        "--full", action="store_true", help="TorchFix checks the whole tree (minutes), not a sample of its files"
    )
    parser.add_argument("--repeats", type=int, default=11, help="runs of the short jobs; long ones are run less often")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the results there, too")
    parser.add_argument("--work", type=Path, metavar="FOLDER", help="keep environments and downloads there")
    return parser


def _run(arguments: argparse.Namespace, work: Path) -> int:
    tools = install(work / "tools")
    tree = arguments.tree.resolve() if arguments.tree is not None else trees.default_tree(work)
    bench = Bench(tools, tree, work, arguments.repeats)
    bench.start_up()
    bench.script()
    inputs = bench.tree_of_files(full=arguments.full)
    versions = tools.versions()
    print(", ".join(f"{tool} {version}" for tool, version in versions.items()))
    print(", ".join(f"{name}: {value}" for name, value in inputs.items()), end="\n\n")
    print("\n".join(table(bench.rows, bench.aims)))
    if arguments.json is not None:
        found = document(bench.rows, bench.aims, tools=versions, inputs=inputs)
        arguments.json.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    return 0 if all(aim.met for aim in bench.aims) else 1


class Bench:
    """The jobs; each adds its rows and aims."""

    def __init__(self, tools: Tools, tree: Path, work: Path, repeats: int) -> None:
        self.tools, self.tree, self.work, self.repeats = tools, tree, work, repeats
        self.rows: list[Row] = []
        self.aims: list[Aim] = []
        self._cache = work / "cache"
        # Away from this checkout, whose configuration and other files would have to be read for each of them.
        self._inputs = work / "inputs"
        for name in ("irrelevant", "script"):
            folder = self._inputs / name
            folder.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(INPUTS / f"{name}.py", folder / f"{name}.py")

    def start_up(self) -> None:
        """Saying the version, and a file that has nothing to do with torch."""
        tools = self.tools
        version = {
            tool: Command([command, "--version"])
            for tool, command in (("aoti-lint", tools.aoti_lint), ("ruff", tools.ruff), ("torchfix", tools.torchfix))
        }
        rows = self._measure("--version", version, self.repeats)
        self._start = rows["torchfix"]
        irrelevant = self._inputs / "irrelevant" / "irrelevant.py"
        rows = self._measure(
            "an irrelevant file",
            {
                "aoti-lint": self._ours(irrelevant),
                "python -c pass": Command([tools.python, "-c", "pass"]),
                "ruff": self._ruff(irrelevant),
                "torchfix": self._torchfix(irrelevant),
            },
            self.repeats,
        )
        self._aim("an irrelevant file, to python -c pass", rows["aoti-lint"], rows["python -c pass"], 3)

    def script(self) -> None:
        """One script that exports a program, nothing remembered."""
        script = self._inputs / "script" / "script.py"
        jobs = {
            "aoti-lint": self._ours(script, cold=True),
            "ruff": self._ruff(script),
            "torchfix": self._torchfix(script),
        }
        rows = self._measure("one script, cold", jobs, max(3, self.repeats // 2))
        self._aim("one script cold, to TorchFix", rows["aoti-lint"], rows["torchfix"], 1 / 2)
        edited = self._ours(script, first=partial(edits.add_comment, script, random.Random(0)))
        ours = self._measure("one script, edited", {"aoti-lint": edited}, max(3, self.repeats // 2))["aoti-lint"]
        self._aim("one script edited, to TorchFix", ours, rows["torchfix"], 1 / 4)

    def tree_of_files(self, *, full: bool) -> dict[str, object]:
        """A whole tree, with nothing remembered, unchanged, and with a file edited; says what was checked."""
        long = max(2, self.repeats // 4)
        cold = self._measure("a tree, cold", {"aoti-lint": self._ours(self.tree, cold=True)}, long)["aoti-lint"]
        jobs = {"aoti-lint": self._ours(self.tree), "ruff": self._ruff(self.tree)}
        warm = self._measure("a tree, warm", jobs, self.repeats)
        for what, kind, aim in (("a file", edits.add_comment, 1 / 12), ("a function", edits.add_statement, 1 / 12)):
            edit = edits.Edits(self.tree, self.work / "edited", kind)
            edited = self._ours(edit.tree, first=edit.next)
            ours = self._measure(f"a tree, {what} edited", {"aoti-lint": edited}, max(10, self.repeats))["aoti-lint"]
            self._aim(f"{what} of a tree edited, to the tree cold", ours, cold, aim)
        if full:
            part, theirs = self.tree, Row("a tree", "torchfix", [run(self._torchfix(self.tree))])
        else:
            part = trees.sample(self.tree, self.work / "sample", SAMPLE)
            theirs = Row("a tree", "torchfix", [run(self._torchfix(part))])
            theirs = scaled(theirs, self._start, trees.size(self.tree) / trees.size(part))
        self.rows.append(theirs)
        self._aim("a tree cold, to TorchFix", cold, theirs, 1 / 25)
        self._aim("a tree warm, to ruff without its cache", warm["aoti-lint"], warm["ruff"], 1 / 2)
        files = trees.python_files(self.tree)
        return {
            "tree": self.tree.name,
            "files": len(files),
            "bytes": trees.size(self.tree),
            "TorchFix checked": "all" if full else f"every {SAMPLE}th file by size, {trees.size(part)} bytes; scaled",
        }

    def _measure(self, job: str, jobs: dict[str, Command], repeats: int) -> dict[str, Row]:
        rows = in_turn(jobs, job, repeats)
        self.rows += rows.values()
        return rows

    def _aim(self, name: str, ours: Row, theirs: Row, limit: float) -> None:
        self.aims.append(Aim(name, ours, theirs, limit))

    def _ours(self, path: Path, *, cold: bool = False, first: Callable[[], object] | None = None) -> Command:
        """aoti-lint as it is called by hand, with its cache; `cold` empties that before each run; `first` is done."""
        words = [self.tools.aoti_lint, "--no-config", "--cache-dir", str(self._cache), str(path)]
        # 2: a file of a foreign tree may be no valid Python.
        return Command(words, (0, 1, 2), self._forget if cold else first, self.work)

    def _forget(self) -> None:
        shutil.rmtree(self._cache, ignore_errors=True)

    def _ruff(self, path: Path) -> Command:
        words = [self.tools.ruff, "check", "--no-cache", "--isolated", "--exit-zero", "--quiet", str(path)]
        return Command(words, folder=self.work)

    def _torchfix(self, path: Path) -> Command:
        # One process: starting more would add to its CPU time. 1: a file it cannot parse.
        return Command([self.tools.torchfix, "-j", "1", str(path)], (0, 1), folder=self.work)


if __name__ == "__main__":
    raise SystemExit(main())
