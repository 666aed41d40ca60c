"""AOTI331."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Confidence, Path, Related, catches, dtypes_differ, reached, weaker
from aoti_lint.rule.events import Calling, DtypeMix, HostCall
from aoti_lint.rule.inputs import Beside, aligned, span_of
from aoti_lint.rule.values import Program, Tensor

from ._calls import Called, CallRule, Fault, is_used, made_elsewhere


class InputOfOtherDtype(CallRule):
    """A package is called with a tensor of another dtype than its example input.

    What happens:
        Nothing checks it. Kernels read the bytes as the dtype of the example: an int64 tensor of twos gives
        `[2.8e-45, 0.0, …]` where float32 was compiled. Where the first to look is an operator of torch, the call raises
        with frames of C++. With `AOTI_RUNTIME_CHECK_INPUTS=1` (torch 2.7 and later):
        `input_handles[0]: unmatched dtype, expected: 6(at::kFloat), but got: 4`. A call of `ep.module()` raises where
        an operation of the model cannot take it, as a linear layer or an embedding cannot, and runs where all can.

    Why:
        The dtype of every input is taken from the example inputs at export and compiled in.

    Bad:
        import torch

        class Net(torch.nn.Module):
            def forward(self, x):
                return x * 2

        program = torch.export.export(Net(), (torch.randn(4, 4),))
        path = torch._inductor.aoti_compile_and_package(program, package_path="net.pt2")
        run = torch._inductor.aoti_load_package(path)
        run(torch.ones(4, 4, dtype=torch.int64))  # <- AOTI331

    Bad:
        # file: build.py
        import torch

        program = torch.export.export(torch.nn.ReLU(), (torch.randn(4, 4),))
        torch._inductor.aoti_compile_and_package(program, package_path="net.pt2")

        # file: host.cpp
        #include <torch/torch.h>
        #include <torch/csrc/inductor/aoti_package/model_package_loader.h>

        int main() {
          torch::inductor::AOTIModelPackageLoader loader("net.pt2");
          auto x = torch::ones({4, 4}, torch::kHalf);
          loader.run({x});  // <- AOTI331
        }

    Good:
        import torch

        class Net(torch.nn.Module):
            def forward(self, x):
                return x * 2

        program = torch.export.export(Net(), (torch.randn(4, 4),))
        path = torch._inductor.aoti_compile_and_package(program, package_path="net.pt2")
        run = torch._inductor.aoti_load_package(path)
        run(torch.ones(4, 4, dtype=torch.int64).to(torch.float32))

    How to debug:
        Run once with `AOTI_RUNTIME_CHECK_INPUTS=1` in the environment of the process that calls the model, set before
        its first call.

    Sources:
        Run on torch 2.13, with and without the check.
        https://docs.pytorch.org/docs/stable/torch.compiler_aot_inductor.html
    """

    code = "AOTI331"
    name = "input-of-other-dtype"
    hosts = True
    doubt = "the default dtype may have been set elsewhere"

    def faults(self, called: Called, program: Program, path: Path) -> Iterator[Fault]:
        mix, sure = (None, Confidence.CERTAIN) if called.packaged else _mixed(called.event)
        if mix is None and not called.packaged:
            return
        in_cpp = isinstance(called.event, HostCall)
        for part in aligned(program, called.event):
            if not isinstance(part, Beside) or not is_used(program, part.name):
                continue
            example, given = part.example, part.given
            if not isinstance(example, Tensor) or not isinstance(given, Tensor):
                continue
            wanted, got = known_dtype(example), known_dtype(given)
            if wanted is None or got is None or wanted == got:
                continue
            place = span_of(called.event, part.place)
            effect = called.effect if called.raises else "nothing checks it, kernels read it as the example's dtype"
            yield Fault(
                part.name,
                place,
                f"{part.name} is {got}, its example input was {wanted}: {effect}",
                f"{got} here",
                f"convert it first: .to({_in_cpp(wanted) if in_cpp else f'torch.{wanted}'})",
                called.outcome,
                weaker(sure, dtypes_differ(wanted, got)),
                (
                    Related(program.span, f"exported with {wanted} here"),
                    *([] if mix is None else [Related(mix.span, "this takes no such tensor")]),
                    *made_elsewhere(given, place),
                ),
            )
            if mix is not None:
                return


def _mixed(event: Calling) -> tuple[DtypeMix | None, Confidence]:
    """The first operation that the call comes to and that raises, and how sure it is that it gets there."""
    for mix in event.dtypes:
        sure = None if catches(mix.caught, "RuntimeError") else reached(mix.path, event.path)
        if sure is not None:
            return mix, sure
    return None, Confidence.CERTAIN


def _in_cpp(name: str) -> str:
    """The name of a dtype in C++: `torch::kBFloat16`."""
    name = name.replace("float", "Float").replace("int", "Int")
    return f"torch::k{name[0].upper()}{name[1:]}"


def known_dtype(tensor: Tensor) -> str | None:
    """The dtype of a tensor by its name in torch, if that is known."""
    name = tensor.dtype or ""
    return name.removeprefix("torch.") if name.startswith("torch.") else None
