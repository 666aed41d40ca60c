"""Compare what is found in a tree with what was read of it: `python -m tests.sweep NAME FOLDER`.

NAME is a package or a repository of `reviewed.json`, FOLDER holds its files in that version. With `--entries` it prints
what is found now as entries for that file, with the verdicts that it has, and `?` where nobody has judged yet.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from tests.sweep.review import Review, difference, found, reviews


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.sweep", description=__doc__)
    parser.add_argument("name")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--entries", action="store_true", help="print entries for reviewed.json")
    options = parser.parse_args()
    known = {one.name: one for kind in ("packages", "repositories") for one in reviews(kind)}
    review = known.get(options.name, Review(options.name, "", {}))
    now = found(options.folder)
    if options.entries:
        print(json.dumps([_entry(one, review) for one in sorted(now)], indent=1))
        return 0
    different = difference(review, now)
    print("\n".join(different) or f"{len(now)} findings, all of them read")
    return 1 if different else 0


def _entry(finding: object, review: Review) -> dict[str, str]:
    verdict, why = review.verdicts.get(finding, ("?", ""))  # type: ignore[call-overload]
    return {**vars(finding), "verdict": verdict, "why": why}


if __name__ == "__main__":
    sys.exit(main())
