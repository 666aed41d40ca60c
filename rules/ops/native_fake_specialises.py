"""AOTI421."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Related, Rule, Span
from aoti_lint.rule.events import OpImpl
from aoti_lint.rule.native import COUNTS, DATA, STRIDES, Function, Read, reads
from aoti_lint.rule.ops import NO_KEY, SAME_IN_EVERY_CALL, base_name, op_key
from aoti_lint.rule.values import Const

from ._compiled import compiled_calls
from ._schemas import exports_of_ops, tested, used

TRACED = (NO_KEY, "CompositeExplicitAutograd", "CompositeExplicitAutogradNonFunctional")
_PACKS = re.compile(r"(?:^|_)(?:re|pre|un)?(?:pack|packed|packing|shuffle|reorder|interleave)(?:_|$)", re.IGNORECASE)
"""Names of ops that prepare weights, once."""
MAX_RELATED = 3


class NativeFakeSpecialises(Rule):
    """The Meta kernel of a C++ op reads sizes as plain numbers.

    What happens:
        The export of a model that calls the op with a dynamic size fails: `Constraints violated (batch)! … You marked
        batch as dynamic but your code specialized it to be a constant (5).` The message names neither the op nor the
        kernel. With `Dim.AUTO` nothing fails: the size is fixed without a word. `numel()` and `nbytes()` raise `Cannot
        call numel() on tensor with symbolic sizes/strides`, `data_ptr()` raises `Cannot access data pointer of Tensor`,
        and with `item()` torch says that the op is unsupported.

    Why:
        While tracing, the kernel for the dispatch key Meta runs on tensors with symbolic sizes. `size(i)` and `sizes()`
        turn *all* sizes of the tensor into the numbers of the example, whichever is asked for and whatever is done with
        it: a `TORCH_CHECK` of a size that is static does it too. `sym_size(i)`, `sym_sizes()`, `sym_numel()` and
        `sym_strides()` keep them. Kernels for the composite keys, or for none, as `m.def("pool(…)", &pool)` registers
        them, are traced in the same way: what reads data there raises in each export and under `torch.compile`. torch
        refuses a fake beside such a kernel; one for CPU or CUDA takes a fake.

    Bad:
        # file: csrc/ops.cpp
        #include <torch/library.h>

        at::Tensor pool_meta(const at::Tensor& points, int64_t channels) {
          return at::empty({points.size(0), channels}, points.options());  // <- AOTI421
        }

        TORCH_LIBRARY(shop, m) {
          m.def("pool(Tensor points, SymInt channels) -> Tensor");
        }

        TORCH_LIBRARY_IMPL(shop, Meta, m) {
          m.impl("pool", &pool_meta);
        }

    Good:
        # file: csrc/ops.cpp
        #include <torch/library.h>

        at::Tensor pool_meta(const at::Tensor& points, c10::SymInt channels) {
          TORCH_CHECK(points.dim() == 2, "points has one row a point");
          return at::empty_symint({points.sym_size(0), channels}, points.options());
        }

        TORCH_LIBRARY(shop, m) {
          m.def("pool(Tensor points, SymInt channels) -> Tensor");
        }

        TORCH_LIBRARY_IMPL(shop, Meta, m) {
          m.impl("pool", &pool_meta);
        }

    How to debug:
        Export with `Dim.AUTO` and look at the output of the op: `node.meta["val"].shape` has a number where the input
        should have a symbol.

    Sources:
        Each read in kernels for Meta, CompositeImplicitAutograd and CompositeExplicitAutograd, compiled with
        `torch.utils.cpp_extension` and exported on torch 2.13.0; `throw_cannot_call_with_symbolic` in
        `c10/core/TensorImpl.cpp:340`.
        https://docs.pytorch.org/tutorials/advanced/cpp_custom_ops.html
    """

    code = "AOTI421"
    name = "native-fake-specialises"
    outcome = Outcome.RAISES_AT_EXPORT
    doubt = "it is worked out from the code of the operator: your calls may never come to it"

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        called, compiled = exports_of_ops(facts), compiled_calls(facts)
        faked = {op_key(event.op) for event in facts.of(OpImpl) if serves(event)}
        # A library without any fake is told of once: its author may not know that tracing enters its kernels.
        told_of = {name.split("::", 1)[0] for name in faked}
        seen: set[Span] = set()
        for event in facts.of(OpImpl):
            function = event.kernel.function if event.kernel is not None else None
            if function is None or not isinstance(event.op, Const) or not isinstance(event.op.value, str):
                continue
            name = base_name(event.op.value)
            keys = {key.value for key in event.keys if isinstance(key, Const)}
            namespace, word = name.split("::", 1)
            others = (name, f"{namespace}::?", f"?::{word}", "?")
            traced = not keys.isdisjoint(TRACED) and faked.isdisjoint(others)
            if "Meta" not in keys and not traced:
                continue
            found = sorted(reads(function), key=partial(_order, name))
            if not found:
                continue
            ends = [used(use) for use in called.get(name, ()) if use is not None]
            sure = bool(ends) or not traced
            if traced and not ends and found[0].method in DATA:
                ends = [(Related(call.span, "compiled code calls it here"),) for call in compiled.get(name, ())[:1]]
                unknown = not told_of.isdisjoint((namespace, "?")) or tested(event.span.path)
                sure = bool(ends) or not (unknown or facts.narrowed)
                told_of |= {namespace} if sure else set()
            told = [
                self._report(facts, event, name, function, found, end, sure=sure, traced="Meta" not in keys)
                for end in ends or [()]
            ]
            if told[0].span not in seen:
                seen.add(told[0].span)
                yield from told

    def _report(
        self, facts: Facts, event: OpImpl, name: str, function: Function, found: list[Read],
        ends: tuple[Related, ...], *, sure: bool, traced: bool,
    ) -> Diagnostic:  # fmt: skip
        read = found[0]
        confidence = Confidence.LIKELY if sure and not doubtful(name, read) else Confidence.POSSIBLE
        what = f"{read.tensor}.{read.method}()"
        kernel = "kernel for all devices" if traced else "Meta kernel"
        if read.method in DATA:
            message = f"the {kernel} of {name} reads data with {what}: tracing runs it, has no data, and raises"
        elif read.method in COUNTS:
            message = f"the {kernel} of {name} calls {what}, which raises for a tensor with dynamic sizes"
        elif read.method in STRIDES:
            message = f"the {kernel} of {name} calls {what}, which fixes the sizes that the strides are made of"
        else:
            message = f"the {kernel} of {name} calls {what}, which fixes every dynamic size of {read.tensor}"
        stable = any(b"stable" in one.type for one in function.parameters)
        named = read.span.path in facts.project.all_files
        related = [Related(event.span, "registered here")] if named else [Related(read.span, "read here")]
        related += [Related(one.span, "and here") for one in found[1 : 1 + MAX_RELATED]]
        return self.found(
            facts,
            event,
            confidence,
            message,
            span=read.span if named else event.span,
            label="read as a number" if read.method not in DATA else "data is read",
            related=(*related, *ends),
            help=_by_device(name, function) if traced else advice(name, read, stable),
            symptom="export-error",
        )


def _order(name: str, read: Read) -> tuple[bool, bool, int]:
    """What raises in each trace comes first, then what does of dynamic sizes."""
    return read.method not in DATA, doubtful(name, read), read.span.start


def doubtful(name: str, read: Read) -> bool:
    """Whether the tensor is likely to have the same sizes in every call, or the read to do no harm."""
    if read.method in DATA:
        return False
    return bool(
        read.method in STRIDES or SAME_IN_EVERY_CALL.match(read.parameter) or _PACKS.search(name.split("::")[-1])
    )


def advice(name: str, read: Read, stable: bool) -> str:
    """What to write instead."""
    if stable:
        return (
            "the stable ABI has no symbolic sizes: leave the Meta kernel out and give the op its fake in Python, with "
            f'@torch.library.register_fake("{name}")'
        )
    if read.method in DATA:
        return "return tensors of the right sizes, dtype and device without looking at the data"
    return f"write sym_{read.method}(), keep the result as c10::SymInt, and make the output with at::empty_symint(…)"


def _by_device(name: str, function: Function) -> str:
    """What to write in the place of a kernel that is for no device in particular."""
    namespace = name.split("::", 1)[0]
    found = (
        f"register it in TORCH_LIBRARY_IMPL({namespace}, CUDA, m), or with CPU where it is for that, and give the op a "
        f'fake in Python, with @torch.library.register_fake("{name}")'
    )
    if function.result != b"void":
        return found
    return (
        f"{found}; its schema has to say Tensor(a!) of what it writes to, for compiled code leaves out the call of an "
        "op that gives nothing and, as its schema has it, changes nothing"
    )


def serves(event: OpImpl) -> bool:
    """Whether tracing uses this, and not the kernel for a composite key."""
    keys = {key.value for key in event.keys if isinstance(key, Const)}
    return event.is_fake or "Meta" in keys or len(keys) != len(event.keys)
