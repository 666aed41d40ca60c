"""AOTI423."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Rule, Span, catches
from aoti_lint.rule.events import Event, ExportEvent, OpUse
from aoti_lint.rule.ops import base_name
from aoti_lint.rule.values import Program
from aoti_lint.rule.written import op_at, unfollowed

from ..flags._names import distance
from ..package._imports import reach
from ._schemas import OF_TORCH, Definitions
from ._undefined import Undefined

_ALIKE = 0.6
"""How much of two names is the same where one may be a slip of the other (`difflib`)."""
_MOST_LETTERS, _LONG = 2, 5
"""So many letters of a name of at least this length differ, where a package might bring the op."""
_OP = re.compile(rb"\bops\.(\w+)\.(\w+)")


class UnknownOpCalled(Rule):
    """An operator is called that nothing defines, beside one that has nearly the same name.

    What happens:
        The first call raises: `AttributeError: '_OpNamespace' 'mylibs' object has no attribute 'scale_rows'`. In a
        forward that is the export, or the first run.

    Why:
        `torch.ops` has every namespace that is asked of it. Whether the operator is there is seen when it is used.

    Bad:
        import torch

        @torch.library.custom_op("mylib::scale_rows", mutates_args=())
        def scale_rows(x: torch.Tensor, by: torch.Tensor) -> torch.Tensor:
            return x * by[:, None]

        @scale_rows.register_fake
        def _(x, by):
            return torch.empty_like(x)

        torch.ops.mylibs.scale_rows(torch.randn(4, 8), torch.randn(4))  # <- AOTI423

    Good:
        import torch

        @torch.library.custom_op("mylib::scale_rows", mutates_args=())
        def scale_rows(x: torch.Tensor, by: torch.Tensor) -> torch.Tensor:
            return x * by[:, None]

        @scale_rows.register_fake
        def _(x, by):
            return torch.empty_like(x)

        torch.ops.mylib.scale_rows(torch.randn(4, 8), torch.randn(4))

    How to debug:
        `dir(torch.ops.mylib)` lists the operators of a namespace that were used, `torch.ops.mylib.name` raises for one
        that does not exist.

    Sources:
        `torch/_ops.py` (`_OpNamespace.__getattr__`) of release 2.13.0; run on torch 2.13.
    """

    code = "AOTI423"
    name = "unknown-op-called"
    outcome = Outcome.RAISES

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        definitions = Definitions(facts)
        undefined = Undefined(facts, definitions)
        seen: set[Span] = set()
        for event, op, span in _called(facts, undefined.defined) if undefined.defined else ():
            namespace, _, short = base_name(op).partition("::")
            if span in seen or not short or namespace in OF_TORCH:
                continue
            seen.add(span)
            meant = _meant(namespace, short, undefined.defined)
            if meant is None or catches(event.caught | event.expected, "AttributeError", "RuntimeError"):
                continue
            if not undefined.has(namespace, short):
                continue
            # What an installed package or a library that is loaded brings is not known, nor what was not followed.
            reached = reach(facts, event.root.split("::")[0])
            brought = bool(reached.outside or reached.dynamic or event.is_only_read)
            if brought and not _is_own(facts, definitions, f"{namespace}::{short}", meant, span.path):
                continue
            # What a forward asks before it calls an op is not kept.
            plain = isinstance(event, OpUse) and not event.path
            sure = plain and not brought and facts.project.context_complete and not facts.narrowed
            yield self.found(
                facts,
                event,
                Confidence.CERTAIN if sure else Confidence.LIKELY,
                f"nothing defines {namespace}::{short}, which is called here: it raises",
                span=span,
                label="called here",
                help=f"did you mean torch.ops.{meant.replace('::', '.')}?",
            )


def _is_own(facts: Facts, definitions: Definitions, op: str, meant: str, path: str) -> bool:
    """Whether an op that a package might bring is a slip all the same.

    The file defines ops of the namespace itself and so does nobody else, as far as all other calls show; no package has
    that name; and what is called differs from one of them by a letter or two, and stands nowhere else.
    """
    namespace, _, short = op.partition("::")
    right = meant.partition("::")[2]
    if not meant.startswith(f"{namespace}::") or len(short) < _LONG or not _is_slip(short, right):
        return False
    defined = {base_name(name): every for name, every in definitions.of_op.items()}
    own = (one for name, every in defined.items() if name.startswith(f"{namespace}::") for one in every)
    if not path.endswith(".py") or all(one.span.path != path for one in own):
        return False
    called = {base_name(name) for _, name, _ in _followed(facts)}
    if any(name.startswith(f"{namespace}::") and name not in defined for name in called - {op}):
        return False
    if any(namespace.strip("_") in one or one in namespace for one in reach(facts, path).outside):
        return False
    said, source = facts.project.mentions(short), facts.project.source(path)
    once = source is not None and len(re.findall(rf"\b{re.escape(short)}\b", source.text)) == 1
    return once and said.complete and {*said.files} <= {path}


def _is_slip(one: str, two: str) -> bool:
    """Whether fingers made one name of another. Another number means another kernel, a last underscore its twin."""
    if re.sub(r"\D", "", one) != re.sub(r"\D", "", two) or one.rstrip("_") == two.rstrip("_"):
        return False
    return distance(one, two) <= _MOST_LETTERS


def _called(facts: Facts, defined: list[str]) -> Iterator[tuple[Event, str, Span]]:
    """The custom ops that are called, and where, with those in code that nobody followed."""
    yield from _followed(facts)
    namespaces = {one.partition("::")[0] for one in defined}

    def is_wrong(match: re.Match[bytes]) -> bool:
        namespace, short = match[1].decode("utf-8", "replace"), match[2].decode("utf-8", "replace")
        if namespace not in namespaces or len(short) < _LONG or f"{namespace}::{short}" in defined:
            return False
        meant = _meant(namespace, short, defined) or ""
        return meant.startswith(f"{namespace}::") and _is_slip(short, meant.partition("::")[2])

    for place in unfollowed(facts, ("ops.",), _OP, is_wrong):
        use = op_at(facts, place)
        if use is not None:
            yield use, use.op, use.span


def _followed(facts: Facts) -> Iterator[tuple[Event, str, Span]]:
    """The custom ops that are called, and where; those in a forward with the export that runs it."""
    for use in facts.of(OpUse):
        yield use, use.op, use.span
    for export in facts.of(ExportEvent):
        for op, span in export.program.ops if isinstance(export.program, Program) else ():
            yield export, op, span


def _meant(namespace: str, short: str, defined: list[str]) -> str | None:
    """The op with nearly this name: of another namespace, or another op of this one."""
    shorts = {one.partition("::")[2]: one for one in defined if one.startswith(f"{namespace}::")}
    near = difflib.get_close_matches(short, list(shorts), 1, _ALIKE)
    if near:
        return shorts[near[0]]
    spaces = {one.partition("::")[0]: one for one in defined if one.endswith(f"::{short}")}
    near = difflib.get_close_matches(namespace, list(spaces), 1, _ALIKE)
    return spaces[near[0]] if near else None
