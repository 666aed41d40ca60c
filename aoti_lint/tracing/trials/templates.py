"""Shapes as a fake writes them: the same text for tensors of any rank the kernel takes.

A shape is a tuple of sizes (see `symbols`) and of `Part`s of the shape of an argument. In a template a size
`("dim", argument, index)` may count its index from the end, `("rank", argument)` is the number of dimensions and
`("numel", argument)` that of elements.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

from aoti_lint.lazily.dataclass import dataclass
from aoti_lint.values.sizes.symbols import Expr, equal


@dataclass(frozen=True, slots=True)
class Part:
    """`argument.shape[start:]` without the last `back` sizes."""

    argument: str
    start: int = 0
    back: int = 0


@dataclass(frozen=True, slots=True)
class Broadcast:
    """The shape that those of these arguments broadcast to."""

    arguments: tuple[str, ...]


Template: TypeAlias = "tuple[Expr | Part, ...]"
"""A shape: sizes, and parts of the shapes of arguments."""
Ranks: TypeAlias = Mapping[str, int]
Sample: TypeAlias = "tuple[Ranks, tuple[Expr, ...] | None]"
"""The ranks of the arguments, and the shape they led to; None where that is not known."""


@dataclass(frozen=True, slots=True)
class Fit:
    """A template, and for which ranks it is right: `pinned` arguments have those of the first sample, `tied` ones all
    the same."""

    template: Template
    pinned: frozenset[str] = frozenset()
    tied: frozenset[str] = frozenset()

    @property
    def cost(self) -> tuple[int, int]:
        return len(self.pinned), len(self.tied)


def whole(argument: str) -> Template:
    """The shape of an argument."""
    return (Part(argument),)


def fitted(samples: list[Sample]) -> Fit | None:
    """The best template for a shape. None where the shape of the first sample is not known."""
    ranks, shape = samples[0]
    if shape is None:
        return None
    best: Fit | None = None
    for candidate in _candidates(ranks, shape):
        if not _fits(candidate, ranks, shape):
            continue
        failing = [r for r, s in samples[1:] if s is None or not _fits(candidate, r, s)]
        fit = _needed(candidate, ranks, failing)
        if best is None or fit.cost < best.cost:
            best = fit
        if best.cost == (0, 0):
            break
    return best


def _needed(made: Template, ranks: Ranks, failing: list[Ranks]) -> Fit:
    """What leaves the failing samples out: nothing of it can be done without."""
    if not failing:
        return Fit(made)
    of_rank: dict[int, list[str]] = {}
    for key in sorted(ranks):
        of_rank.setdefault(ranks[key], []).append(key)
    tied = [_fewest(keys, lambda chosen: all(len({r.get(k) for k in chosen}) > 1 for r in failing))
            for keys in of_rank.values()]  # fmt: skip
    if found := min(filter(None, tied), key=len, default=None):
        return Fit(made, tied=frozenset(found))
    pinned = _fewest(sorted(ranks), lambda chosen: all(any(r.get(k) != ranks[k] for k in chosen) for r in failing))
    return Fit(made, frozenset(pinned or ranks))


def _fewest(keys: list[str], enough: Callable[[list[str]], bool]) -> list[str] | None:
    """Those that stay when one after the other is left out that can be, the last first; None where all are too few."""
    if not enough(keys):
        return None
    for key in reversed(keys):
        if enough(fewer := [k for k in keys if k != key]):
            keys = fewer
    return keys


def _candidates(ranks: Ranks, shape: tuple[Expr, ...]) -> Iterator[Template]:
    """Templates that may give the shape, the plainest first."""
    for key in sorted(ranks):
        yield whole(key)
    for back in (False, True):
        fixed = tuple(_rewritten(e, ranks, back) for e in shape)
        yield fixed
        for key, rank in ranks.items():
            yield tuple(Expr("rank", key) if e == Expr("const", rank) else e for e in fixed)
    found: dict[Template, int] = {}
    for key, rank in ranks.items():
        for start in range(rank + 1):
            for stop in range(start, rank + 1):
                middle = tuple(Expr("dim", key, i) for i in range(start, stop))
                for at in range(len(shape) - len(middle) + 1):
                    if shape[at : at + len(middle)] == middle:
                        part = Part(key, start, rank - stop)
                        head, tail = shape[:at], shape[at + len(middle) :]
                        for made in _around(head, part, tail, ranks):
                            found.setdefault(made, len(middle))
    yield from sorted(found, key=lambda made: (-found[made], len(made)))


def _around(head: tuple[Expr, ...], part: Part, tail: tuple[Expr, ...], ranks: Ranks) -> Iterator[Template]:
    """Sizes around a part, their places counted from the nearer end, or all from one."""
    for first, second in ((False, True), (False, False), (True, True)):
        yield (*(_rewritten(e, ranks, first) for e in head), part, *(_rewritten(e, ranks, second) for e in tail))


def _rewritten(expr: Expr, ranks: Ranks, back: bool) -> Expr:
    """A size with its dimensions counted from the back, if so asked, and with ranks and numbers of elements."""
    for key, rank in ranks.items():
        if rank > 1 and _factors(expr) == [Expr("dim", key, i) for i in range(rank)]:
            return Expr("numel", key)
    if expr[0] == "dim":
        return Expr("dim", expr[1], expr[2] - ranks[expr[1]]) if back and expr[1] in ranks else expr
    if expr[0] in ("arg", "const", "other"):
        return expr
    return Expr(expr[0], *(_rewritten(part, ranks, back) for part in expr[1:]))


def _factors(expr: Expr) -> list[Expr]:
    """The factors of a product, in order."""
    if expr[0] != "*":
        return [expr]
    return [factor for part in expr[1:] for factor in _factors(part)]


def _fits(made: Template, ranks: Ranks, shape: tuple[Expr, ...]) -> bool:
    """Whether the template is the shape for arguments of these ranks."""
    sizes = placed(made, ranks)
    return sizes is not None and len(sizes) == len(shape) and all(
        one == other or equal(one, other) is True for one, other in zip(sizes, shape, strict=True)
    )  # fmt: skip


def placed(made: Template, ranks: Ranks) -> tuple[Expr, ...] | None:
    """The sizes that a template gives for arguments of these ranks; None where it asks for a dimension too many."""
    sizes: list[Expr] = []
    for one in made:
        if isinstance(one, Part):
            stop = ranks[one.argument] - one.back
            if one.start > stop:
                return None
            sizes += [Expr("dim", one.argument, i) for i in range(one.start, stop)]
        else:
            size = _placed(one, ranks)
            if size is None:
                return None
            sizes.append(size)
    return tuple(sizes)


def _placed(expr: Expr, ranks: Ranks) -> Expr | None:
    if expr[0] == "rank":
        return Expr("const", ranks[expr[1]])
    if expr[0] == "numel":
        made = Expr("const", 1)
        for i in range(ranks[expr[1]]):
            made = Expr("*", made, Expr("dim", expr[1], i))
        return made
    if expr[0] == "dim":
        index = expr[2] + ranks[expr[1]] if expr[2] < 0 else expr[2]
        return Expr("dim", expr[1], index) if 0 <= index < ranks[expr[1]] else None
    if expr[0] in ("arg", "const", "other"):
        return expr
    parts = [_placed(part, ranks) for part in expr[1:]]
    return None if any(part is None for part in parts) else Expr(expr[0], *parts)
