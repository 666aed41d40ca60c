"""How much is known of the programs in whole trees: `python -m benchmarks.coverage TREE...`.

Prints the table of `--coverage` for each tree. Nothing in the trees is run, and their configuration is not heeded.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from aoti_lint.config import Config
from aoti_lint.engine.check import check
from aoti_lint.options import Options
from aoti_lint.report.check.coverage import coverage_lines
from aoti_lint.report.output import Output

FORMAT = "aoti-lint-coverage-of-trees/1"


def main(words: Sequence[str] | None = None) -> int:
    """Check the trees one after the other, print the tables, and write the JSON."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.coverage", description=__doc__)
    parser.add_argument("trees", nargs="+", type=Path, metavar="TREE", help="a folder or file to check")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the counts there, too")
    arguments = parser.parse_args(words)
    found = []
    with Output(None) as output:
        for tree in arguments.trees:
            coverage = of_tree(tree)
            found.append({"tree": tree.resolve().name, **coverage})
            output.line(tree.resolve().name)
            output.styled(coverage_lines(coverage))
            output.line()
            sys.stdout.flush()
    if arguments.json is not None:
        document = {"format": FORMAT, "trees": found}
        arguments.json.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
    return 0


def of_tree(tree: Path) -> dict[str, Any]:
    """The coverage of a tree without its single places (see `json_v1.Coverage`)."""
    report = check(Options([str(tree)], Config(), coverage=True, cache=False, ignores=False))
    coverage: dict[str, Any] = report.document["coverage"]
    return {name: part for name, part in coverage.items() if name != "sites"}


if __name__ == "__main__":
    raise SystemExit(main())
