"""AOTI602."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Rule

from ._places import origin

if TYPE_CHECKING:
    from aoti_lint.rule.contents import NamedArchive, OpUse, Program, Tensor

TORCH = ("aten.", "prims.", "prim.", "higher_order.", "operator.", "torch.", "math.", "builtins.", "inductor.",
         "quantized", "_c10d_functional.", "c10d.")  # fmt: skip


class FakeHardCodesASize(Rule):
    """A custom operator takes a dynamic size and says that its result has the size of the example.

    What happens:
        The program is dynamic up to the operator and static behind it. A package made of it computes with the size of
        the example whatever it is given: with a batch of 64 it returns the example's 8 rows, or leaves all but these
        unfinished, or writes past the end of a buffer (`free(): invalid next size (fast)`). `torch.library.opcheck`
        finds nothing with the same example.

    Why:
        The operator's fake function was written with numbers (`x.new_empty(8, 12)`) or makes one of a size
        (`int(x.shape[0])`) where it should hand on `x.shape[0]`.

    Bad:
        # archive: padded.pt2  # <- AOTI602
        # file: ops.py
        import torch

        @torch.library.custom_op("shop::pad", mutates_args=())
        def pad(x: torch.Tensor) -> torch.Tensor:
            return torch.nn.functional.pad(x, (0, 2))

        @pad.register_fake
        def _(x):
            return x.new_empty(4, 10)  # <- AOTI404

    Good:
        # archive: scaled.pt2
        # file: ops.py
        import torch

        @torch.library.custom_op("shop::scale", mutates_args=())
        def scale(x: torch.Tensor) -> torch.Tensor:
            return x * 2

        @scale.register_fake
        def _(x):
            return torch.empty_like(x)

    How to debug:
        Look at the shapes around the operator in `print(torch.export.load("model.pt2"))`: a `s77` must not become a
        number. Call the operator's fake with two sizes under `torch._subclasses.FakeTensorMode()`.

    Sources:
        Run on torch 2.13 (CPU: wrong values, heap corruption) and on 2.11 with an NVIDIA H200 (8 rows for every batch).
        https://docs.pytorch.org/tutorials/advanced/python_custom_ops.html
    """

    code = "AOTI602"
    name = "fake-hard-codes-a-size"
    outcome = Outcome.SILENTLY_WRONG
    doubt = "a result of one size may be meant, as of a histogram"

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        for archive in facts.archives:
            for program in archive.data.programs:
                told = set()
                for call in program.calls:
                    if not call.target.startswith(TORCH) and call.target not in told:
                        told.add(call.target)
                        yield from self._check(facts, archive, program, call)

    def _check(self, facts: Facts, archive: NamedArchive, program: Program, call: OpUse) -> Iterator[Diagnostic]:
        given = [t for name in call.inputs if (t := program.tensors.get(name)) is not None]
        made = [t for name in call.outputs if (t := program.tensors.get(name)) is not None and t.shape]
        moving = [(t, dim) for t in given for dim, size in enumerate(t.shape) if isinstance(size, str)]
        if not moving or not made or any(isinstance(size, str) for t in made for size in t.shape):
            return
        # A result of fixed size may be right (a histogram, a sum over the batch). One with the example's size in the
        # place of the size that moves is not.
        copied = [(t, dim, out) for t, dim in moving for out in made if self._copied(program, t, dim, out)]
        confidence = Confidence.LIKELY if copied else Confidence.POSSIBLE
        source, dim, out = copied[0] if copied else (*moving[0], made[0])
        traced = origin(facts, call, "the model calls it here")
        op = call.target.removesuffix(".default").replace(".", "::", 1)
        example = f", the size of the example in dimension {dim}" if copied else ""
        yield self.found_in(
            facts,
            archive,
            confidence,
            f"{op} turns {shown(source)} into {shown(out)}{example}: its fake hard-codes a size",
            subject=f"{program.name}: {op}",
            member=program.member,
            **traced,
            help=f"make the size in the fake of {op} from the input's: x.shape[{dim}], without int(), and export again",
            symptom="wrong-result",
        )

    @staticmethod
    def _copied(program: Program, given: Tensor, dim: int, made: Tensor) -> bool:
        size = program.sizes.get(str(given.shape[dim]))
        return size is not None and size > 1 and dim < len(made.shape) and made.shape[dim] == size


def shown(tensor: Tensor) -> str:
    """The sizes of a tensor as Python shows a tuple."""
    return f"({', '.join(map(str, tensor.shape))}{',' if len(tensor.shape) == 1 else ''})"
