"""Break the fakes of packages in every way we know, and count what of that the linter finds.

    python scripts/measure_mutants.py [FOLDER …] [--missed] [--json FILE]

Each FOLDER holds an unpacked package (a wheel, say), whose fakes are broken where they stand; without one the copies in
`tests/mutation/corpus` are. Prints, for each mutator and for who can know that its mutants are wrong, how many there
are, how many are found at all, found with more than a mere possibility, and found by a rule that names this fault; then
what is found in the fakes as they are. Takes about a second for each mutant of the fake that has most.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.mutation.measure import Measure, Outcome, begin, files_with_fakes, findings_in_fakes, measure_all
from tests.mutation.mutators import names

CORPUS = Path(__file__).parent.parent / "tests" / "mutation" / "corpus"
KNOWABLE = ("alone", "kernel", "neither")


def table(outcomes: Iterable[Outcome]) -> list[str]:
    """One line for each mutator and class, and the sums."""
    every = list(outcomes)
    out = [f"{'mutator':<16}{'knowable':<10}{'mutants':>8}{'found':>7}{'%':>7}{'sure':>7}{'named':>7}"]
    groups = [(name, kind) for kind in KNOWABLE for name in [*names(), ""]]
    for name, kind in groups:
        of = [o for o in every if o.mutant.knowable == kind and name in (o.mutant.mutator, "")]
        if of:
            found, sure, named = sum(o.killed for o in of), sum(bool(o.sure) for o in of), sum(o.named for o in of)
            share = f"{found / len(of):.1%}"
            out.append(f"{name or '= all':<16}{kind:<10}{len(of):>8}{found:>7}{share:>7}{sure:>7}{named:>7}")
    return out


def as_json(name: str, measure: Measure) -> dict[str, Any]:
    return {
        "name": name,
        "fakes": [[s.path, s.fake.node.name, s.linked, s.fake.schema, s.fake.kernel] for s in measure.subjects],
        "mutants": [
            [o.path, o.function, o.row, o.mutant.mutator, o.mutant.knowable, o.linked, sorted(o.found), sorted(o.sure)]
            for o in measure.outcomes
        ],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--missed", action="store_true", help="list the mutants that can be known and are not found")
    parser.add_argument("--json", type=Path, help="write all outcomes to this file")
    given = parser.parse_args()
    folders = given.folders or sorted(path for path in CORPUS.iterdir() if path.is_dir())
    outcomes: list[Outcome] = []
    written, fakes, unlinked, unbroken = [], 0, 0, []
    for folder in folders:
        measure = begin(str(folder), files_with_fakes(str(folder)))
        fakes += len(measure.subjects)
        unlinked += sum(not s.linked for s in measure.subjects)
        unbroken += [f"{folder.name}/{line}" for line in findings_in_fakes(measure)]
        print(f"{folder.name}: {len(measure.subjects)} fakes, {sum(len(s.mutants) for s in measure.subjects)} mutants",
              file=sys.stderr, flush=True)  # fmt: skip
        measure_all(measure)
        outcomes += measure.outcomes
        written.append(as_json(folder.name, measure))
        if given.missed:
            for o in measure.outcomes:
                if not o.killed and o.mutant.knowable != "neither":
                    place, unlinked_too = f"{folder.name}/{o.path}:{o.row}", "" if o.linked else ", which is not linked"
                    print(f"missed {place} {o.mutant.mutator} ({o.mutant.knowable}) in {o.function}{unlinked_too}")
    print(f"{fakes} fakes, {unlinked} of them not linked to an op")
    print(*table(outcomes), sep="\n")
    print(f"{len(unbroken)} findings in fakes as they are")
    print(*unbroken, sep="\n")
    if given.json:
        given.json.write_text(json.dumps(written, indent=1) + "\n")


if __name__ == "__main__":
    main()
