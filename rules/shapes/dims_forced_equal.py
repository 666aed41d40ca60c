"""AOTI322."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Diagnostic, Facts, Outcome, Related, Rule, Span
from aoti_lint.rule.events import Exporting, OpenSize, SizeGuard
from aoti_lint.rule.shapes import Expr

from ._guards import judged, refuses, sure, written


class DimsForcedEqual(Rule):
    """The forward of a model ties two named `Dim`s to each other.

    What happens:
        The export raises `Constraints violated (b)! … The values of b = L['y'].size()[0] and a = L['x'].size()[0] must
        always be equal.`, or says that one must always be related to the other by `b = 2*a`.

    Why:
        Two `Dim`s of different names promise sizes that have nothing to do with each other. With `Dim.AUTO` or
        `Dim.DYNAMIC` the export ties them itself.

    Bad:
        import torch

        class Net(torch.nn.Module):
            def forward(self, x, y):
                return x + y  # <- AOTI322

        spec = ({0: torch.export.Dim("a")}, {0: torch.export.Dim("b")})
        program = torch.export.export(Net(), (torch.randn(6, 8), torch.randn(6, 8)), dynamic_shapes=spec)

    Good:
        import torch

        class Net(torch.nn.Module):
            def forward(self, x, y):
                return x + y

        batch = torch.export.Dim("batch")
        example = (torch.randn(6, 8), torch.randn(6, 8))
        program = torch.export.export(Net(), example, dynamic_shapes=({0: batch}, {0: batch}))

    How to debug:
        `TORCH_LOGS="+dynamic"` prints the guard `Eq(s0, s1)` with the line that made it.

    Sources:
        Run on torch 2.13 with `+`, `cat`, `stack`, `where`, `@` and an assertion, with and without `strict=True`: a
        named `Dim` beside `Dim.AUTO` or `Dim.DYNAMIC` is fine.
    """

    code = "AOTI322"
    name = "dims-forced-equal"
    outcome = Outcome.RAISES_AT_EXPORT

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        for event, _ in judged(self.exports(facts)):
            told: set[Span] = set()
            tied: set[frozenset[Expr]] = set()
            for guard in event.guards if refuses(event) else ():
                pair, confidence = _pair(event, guard), sure(event, guard)
                if pair is None or confidence is None or frozenset(one.root for one in pair) in tied:
                    continue
                tied.add(frozenset(one.root for one in pair))
                if guard.span in told:
                    continue
                told.add(guard.span)
                first, second = pair
                other = guard.right if guard.left == second.root else guard.left
                same = other == first.root
                ends = [Related(one.dim.span, f'Dim("{one.dim.name}")') for one in pair if one.dim.span is not None]
                yield self.found(
                    facts,
                    event,
                    confidence,
                    f"{written(event, second.root)} always has to be {written(event, other)} here: "
                    f'the export refuses Dim("{first.dim.name}") and Dim("{second.dim.name}")',
                    span=guard.span,
                    label="ties the two sizes",
                    related=(*ends, Related(event.span, "exported here")),
                    help="use one Dim for both"
                    if same
                    else "make one Dim of the other (2 * batch), or declare both Dim.AUTO",
                    symptom="export-error",
                )


def _pair(event: Exporting, guard: SizeGuard) -> tuple[OpenSize, OpenSize] | None:
    """The two named Dims that a guard ties, of which it gives the second by the first; None for another guard."""
    for mine, other in ((guard.right, guard.left), (guard.left, guard.right)):
        of = set(other.roots)
        if guard.op != "==" or mine[0] != "dim" or len(of) != 1 or mine in of:
            continue
        sizes = {one.root: one for one in event.open_sizes if one.dim.kind == "named"}
        (root,) = of
        if mine in sizes and root in sizes:
            return sizes[root], sizes[mine]
    return None
