"""Names that differ from the wanted ones by a prefix only, as wrapping a model gives them.

`torch.compile` puts `_orig_mod.` before the names of the module it wraps, `DataParallel` puts `module.`, and a trainer
that holds the network in an attribute puts `model.`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from typing import NamedTuple

WRAPPED = "_orig_mod."
MAX_PARTS = 32


class Renaming(NamedTuple):
    """How the names of the file become those that are wanted: a line of Python, and the new name of each."""

    what: str
    code: str
    names: dict[str, str]


def find_renaming(wanted: Collection[str], held: Collection[str]) -> Renaming | None:
    """A prefix to strip or to add that makes at least half of the missing names known, and spoils none."""
    known = set(wanted)
    present = set(held)
    missing = known - present
    unknown = present - known
    if not missing or not unknown:
        return None
    strip = _likeliest(unknown, missing)
    add = _likeliest(missing, unknown)
    options = [
        *(
            Renaming(
                f'"{prefix}" stands before the names in the file',
                f'state = {{name.removeprefix("{prefix}"): value for name, value in state.items()}}',
                {name: name.removeprefix(prefix) for name in held},
            )
            for prefix in strip
        ),
        Renaming(
            f'"{WRAPPED}" stands in the names of the file: torch.compile wraps modules so',
            f'state = {{name.replace("{WRAPPED}", ""): value for name, value in state.items()}}',
            {name: name.replace(WRAPPED, "") for name in held},
        ),
        *(
            Renaming(
                f'the names in the file lack the "{prefix}" that the package has before them',
                f'state = {{"{prefix}" + name: value for name, value in state.items()}}',
                {name: prefix + name for name in held},
            )
            for prefix in add
        ),
    ]
    for option in options:
        new = set(option.names.values())
        if len(new) == len(option.names) and 2 * len(new & missing) >= len(missing) and new & known >= present & known:
            return option
    return None


def _likeliest(longer: Collection[str], shorter: Collection[str]) -> list[str]:
    """The prefixes that lead from a name in `shorter` to one in `longer` most often; of equals, the first by name."""
    votes: Counter[str] = Counter()
    for name in sorted(longer):
        at = 0
        for _ in range(MAX_PARTS):
            at = name.find(".", at) + 1
            if not at:
                break
            if name[at:] in shorter:
                votes[name[:at]] += 1
    return [prefix for prefix, _ in votes.most_common(3) if prefix.isprintable() and not set(prefix) & set('"\\{}')]
