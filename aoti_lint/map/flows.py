"""Which steps hang together: a flow is what one model goes through, or several that meet in one file or load."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from aoti_lint.diagnostics import Span
from aoti_lint.map.found import in_order
from aoti_lint.map.steps import SHARED, Step


@dataclass(slots=True)
class Together:
    """The steps of a flow, in their order: what it uses first."""

    steps: list[Step]

    @property
    def own(self) -> list[Step]:
        """Those that are in no other flow."""
        return [one for one in self.steps if one.kind not in SHARED]

    @property
    def folder(self) -> str:
        """The folder of its first step, relative to the project root."""
        span = self.own[0].span
        return "" if span is None else posixpath.dirname(span.path)

    def findings(self) -> list[str]:
        """The fingerprints of what is found in it."""
        found: list[str] = []
        for step in self.steps:
            found += step.findings
            found += (one for start, ones in step.between.items() if start in self.steps for one in ones)
        return list(dict.fromkeys(found))

    def title(self, place: Callable[[Span], str]) -> str:
        """What passes through it, in a line: a model, a file, who calls it."""
        said = [_some([one.title for one in self.steps if one.kind == "model"])]
        files = [one.title for one in self.own if one.kind in ("package", "bundle")]
        said.append(_some(files or [one.title for one in self.own if one.kind in ("save", "archive")]))
        last = [one for one in self.own if one.kind in ("call", "host")] or self.own[-1:]
        said.append(_some([place(one.span) for one in last if one.span is not None]))
        return " → ".join(one for one in dict.fromkeys(said) if one)


def _some(names: list[str]) -> str:
    """The first of some names, and how many more there are."""
    known = list(dict.fromkeys(names))
    return known[0] + (f" and {len(known) - 1} more" if len(known) > 1 else "") if known else ""


def flows_of(steps: Sequence[Step]) -> Iterator[Together]:
    """The flows, by their places."""
    heads: dict[Step, Step] = {}

    def head(step: Step) -> Step:
        while heads.setdefault(step, step) is not step:
            heads[step] = step = heads[heads[step]]
        return step

    own = [one for one in steps if one.kind not in SHARED]
    for step in own:
        for other in step.before:
            if other.kind not in SHARED:
                heads[head(other)] = head(step)
    groups: dict[Step, list[Step]] = {}
    for step in in_order(own):
        groups.setdefault(head(step), []).append(step)
    for group in sorted(groups.values(), key=lambda one: (one[0].span is None, one[0].span)):
        used = {other for step in group for other in step.before if other.kind in SHARED}
        yield Together([*in_order(used), *group])
