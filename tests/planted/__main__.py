"""Plants mistakes in packages of the registry: `python -m tests.planted --packages DIR --seed 1 --sites 20`.

DIR holds their sources; what `packages.json` lists and DIR does not hold is downloaded with pip. One mistake at a time
is planted in one file, which is then checked as an editor with that file open does it. Prints a table of the kinds: at
how many of at most `--sites` places it was planted, and at how many an error or a warning is new at the mistake. Each
that is not told is kept in the folder of `--keep`. Ctrl-C ends it, and prints what it came to. With `--unbroken` it
also prints what is said of the same files as they are.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from contextlib import suppress
from pathlib import Path

from tests.planted.measure import Outcome, chosen, sites, try_all
from tests.planted.packages import fetch, packages


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.planted", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--packages", type=Path, required=True, metavar="DIR", help="where the packages lie")
    parser.add_argument("--seed", type=int, default=1, help="decides which places are taken")
    parser.add_argument("--sites", type=int, default=20, help="places of each kind, at most")
    parser.add_argument("--kinds", nargs="+", default=[], metavar="KIND", help="only these")
    parser.add_argument("--only", nargs="+", default=[], metavar="NAME", help="only these packages")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="where the mistakes go that are not told")
    parser.add_argument("--unbroken", action="store_true", help="print what is said of the files as they are")
    options = parser.parse_args()
    projects = []
    for package in packages():
        if not options.only or package.name in options.only:
            project = fetch(package, options.packages.resolve())
            if project is None:
                print(f"{package} cannot be downloaded", file=sys.stderr)
            else:
                projects.append(project)
    every = [one for project in projects for one in sites(project) if not options.kinds or one.kind in options.kinds]
    some = chosen(every, options.seed, options.sites)
    print(f"{len(projects)} packages, {len(every)} places, {len(some)} of them taken", file=sys.stderr, flush=True)
    outcomes: list[Outcome] = []
    with suppress(KeyboardInterrupt):
        for outcome in try_all(some):
            outcomes.append(outcome)
            if not outcome.told:
                _tell(outcome)
                if options.keep is not None:
                    _keep(outcome, options.keep)
    print(*table(outcomes), sep="\n")
    if options.unbroken:
        print(*sorted({line for one in outcomes for line in one.before}), sep="\n")
    return 0


def table(outcomes: list[Outcome]) -> list[str]:
    """A line for each kind, and one for all."""
    lines = [f"{'kind':<24}{'planted':>8}{'told':>6}{'%':>7}  by"]
    for kind in [*sorted({one.site.kind for one in outcomes}), ""]:
        of = [one for one in outcomes if kind in (one.site.kind, "")]
        if of:
            told = sum(one.told for one in of)
            codes = Counter(code for one in of for code in set(one.codes)) if kind else Counter()
            by = ", ".join(f"{code} {count}" for code, count in codes.most_common(4))
            lines.append(f"{kind or 'all':<24}{len(of):>8}{told:>6}{told / len(of):>7.0%}  {by}".rstrip())
    return lines


def _tell(outcome: Outcome) -> None:
    site = outcome.site
    elsewhere = f", elsewhere {' '.join(outcome.elsewhere)}" if outcome.elsewhere else ""
    print(f"not told: {site.kind} {site.project.name}/{site.file}:{outcome.row}{elsewhere}", flush=True)


def _keep(outcome: Outcome, folder: Path) -> None:
    """The file with the mistake, under a name that says which."""
    site = outcome.site
    name = f"{site.kind}_{site.project.name}_{site.file.replace('/', '_').removesuffix('.py')}_{outcome.row}.py"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(outcome.text)


if __name__ == "__main__":
    sys.exit(main())
