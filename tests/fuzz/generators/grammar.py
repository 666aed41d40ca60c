"""Text from a grammar that is a table of productions; the grammars lie in `grammars`.

A symbol stands there in brackets, over its productions, each a line, with `\\n` for a new line in it. `<name>` in a
production stands for any production of `name`; `<name*>` for none to some of them, with commas between, or line by line
where it stands alone on a line. What has several lines is indented as its place is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from random import Random

_HOLE = re.compile(r"<(\w+)(\*?)>")
Grammar = Mapping[str, Sequence[str]]
_ESCAPED = {"n": "\n", "t": "\t", "\\": "\\"}


@cache
def grammar(name: str) -> Grammar:
    """The grammar in `grammars/NAME.txt`."""
    text = (Path(__file__).parent / "grammars" / f"{name}.txt").read_text(encoding="utf-8")
    made: dict[str, list[str]] = {}
    for part in text.rstrip("\n").split("\n\n"):
        head, *productions = part.split("\n")
        made[head[1:-1]] = [re.sub(r"\\(.)", lambda found: _ESCAPED[found[1]], one) for one in productions]
    return made


def expanded(rules: Grammar, symbol: str, numbers: Random, depth: int = 6, most: int = 3) -> str:
    """A text of `symbol`. Below `depth` its first production is taken, which must end."""
    productions = rules[symbol]
    chosen = productions[0] if depth <= 0 else numbers.choice(productions)
    made: list[str] = []
    for line in chosen.split("\n"):
        alone = _HOLE.fullmatch(line.strip())
        if alone is None or alone[1] not in rules:
            made.append(_HOLE.sub(lambda hole: _filled(rules, hole, numbers, depth, most), line))
            continue
        indent = line[: len(line) - len(line.lstrip())]
        count = numbers.randint(1, 1 if depth <= 0 else most + 1) if alone[2] else 1
        for _ in range(count):
            text = expanded(rules, alone[1], numbers, depth - 1, most)
            made += [indent + one if one.strip() else one for one in text.split("\n")]
    return "\n".join(made)


def _filled(rules: Grammar, hole: re.Match[str], numbers: Random, depth: int, most: int) -> str:
    if hole[1] not in rules:
        # `<float>` of C++.
        return hole[0]
    if not hole[2]:
        return expanded(rules, hole[1], numbers, depth - 1, most)
    count = 0 if depth <= 0 else numbers.randint(0, most)
    return ", ".join(expanded(rules, hole[1], numbers, depth - 1, most) for _ in range(count))
