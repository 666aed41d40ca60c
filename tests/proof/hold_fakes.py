"""Run with torch: holds the fakes of scripts against the kernels beside them, and prints what differs.

    python hold_fakes.py SCRIPT …

Each script defines the op `lib::op`, and `CASES`: arguments of the op, those by name in a dict at the end. A size that
differs in the first two is a dynamic one of the export. Scripts run in processes of their own, as they define one op;
what they import is imported before.
"""

from __future__ import annotations

import os
import runpy
import sys
import traceback
from itertools import zip_longest
from typing import Any

import torch
import torch._dynamo
import torch.export._trace
import torch.testing._internal.optests

TESTS = ("test_schema", "test_faketensor", "test_aot_dispatch_dynamic")


def split(case: tuple[Any, ...]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Positional and named arguments."""
    named = case[-1] if case and isinstance(case[-1], dict) else {}
    return case[: len(case) - bool(named)], named


def metadata(made: Any) -> list[Any]:
    made = made if isinstance(made, list | tuple) else [made]
    return [(tuple(t.shape), t.dtype, t.device, t.stride()) if isinstance(t, torch.Tensor) else t for t in made]


class Net(torch.nn.Module):  # type: ignore[misc]
    def __init__(self, named: dict[str, Any]) -> None:
        super().__init__()
        self.named = named

    def forward(self, *args: Any) -> Any:
        return torch.ops.lib.op(*args, **self.named)


def specs(first: tuple[Any, ...], second: tuple[Any, ...]) -> tuple[tuple[Any, ...]]:
    """A dynamic dimension for each size that differs."""
    made: list[dict[int, Any] | None] = []
    for one, other in zip(first, second, strict=True):
        if isinstance(one, torch.Tensor):
            sizes = enumerate(zip_longest(one.shape, other.shape))
            made.append({i: torch.export.Dim.DYNAMIC for i, (a, b) in sizes if a != b})
        else:
            made.append(None)
    return (tuple(made),)


def hold(script: str) -> None:
    cases = runpy.run_path(script)["CASES"]
    for args, named in map(split, cases):
        # It compares sizes, strides, dtypes, devices and the number of outputs.
        torch.library.opcheck(torch.ops.lib.op.default, args, named, test_utils=TESTS)
    (first, named), (given, _) = split(cases[0]), split(cases[1])
    second = tuple(b if isinstance(b, torch.Tensor) else a for a, b in zip(first, given[: len(first)], strict=True))
    program = torch.export.export(Net(named), first, dynamic_shapes=specs(first, second), strict=False)
    assert any("lib.op" in str(node.target) for node in program.graph.nodes), program
    again, real = program.module()(*second), torch.ops.lib.op(*second, **named)
    assert metadata(again) == metadata(real), (metadata(again), metadata(real))


if __name__ == "__main__":
    for script in sys.argv[1:]:
        sys.stdout.flush()
        child = os.fork()
        if not child:
            try:
                hold(script)
                print(script, "agrees")
            except BaseException:
                print(script, "differs", traceback.format_exc())
            sys.stdout.flush()
            os._exit(0)
        os.waitpid(child, 0)
