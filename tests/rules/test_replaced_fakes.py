"""Fakes that no trace runs: another function of the op stands before them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judging import lint_files

SCRIPT = """
import torch

lib = torch.library.Library("shop", "FRAGMENT")
lib.define("pick(Tensor x, bool twice=False) -> Tensor")
lib.define("pick_inner(Tensor x) -> Tensor")
lib.impl("pick_inner", lambda x: x * 2, "CPU")

@torch.library.register_fake("shop::pick_inner", lib=lib)
def _(x):
    return torch.empty_like(x)

{kernel}

@torch.library.register_fake("shop::pick", lib=lib)
def _(x, twice):
    return x.new_empty([len(x)])
"""
BELOW = """
def inner(x, twice=False):
    with torch._C._AutoDispatchBelowAutograd():
        return torch.ops.shop.pick(x, twice)

lib.impl("pick", inner, "AutogradCPU")
lib.impl("pick", lambda x, twice=False: x * 2, "CPU")
"""
OF_A_CLASS = """
class Pick(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, twice):
        with torch._C._AutoDispatchBelowAutograd():
            return torch.ops.shop.pick(x, twice)

    @staticmethod
    def backward(ctx, grad):
        return grad, None

lib.impl("pick", lambda x, twice=False: Pick.apply(x, twice), "Autograd")
lib.impl("pick", lambda x, twice=False: x * 2, "CPU")
"""


@pytest.mark.parametrize(
    ("kernel", "said"),
    [
        ('lib.impl("pick", lambda x, twice=False: x * 2, "CPU")', True),
        # Each was exported with torch 2.13, with an open size: the fake is run, or not.
        ('lib.impl("pick", lambda x, twice=False: torch.ops.shop.pick_inner(x), "AutogradCPU")', False),
        ('lib.impl("pick", lambda x, twice=False: torch.ops.shop.pick_inner(x), "Autograd")', False),
        ('lib.impl("pick", lambda x, twice=False: x * 2, "AutogradMeta")', True),
        (BELOW, True),
        (OF_A_CLASS, True),
    ],
)
def test_a_kernel_of_autograd_is_traced_instead(tmp_path: Path, kernel: str, said: bool) -> None:
    found = lint_files(tmp_path / "run", {"ops.py": SCRIPT.format(kernel=kernel)})
    assert {one.code for one in found} & {"AOTI402", "AOTI410"} == ({"AOTI402", "AOTI410"} if said else set())


META = """
import torch

lib = torch.library.Library("shop", "FRAGMENT")
lib.define("mask(Tensor x) -> Tensor")
lib.impl("mask", lambda x: x > 0, "CompositeExplicitAutograd")
{meta}

def mask_fake(x):
    return torch.empty([x.shape[0]], dtype=torch.bool)

def register(op, function):
    if torch._C._dispatch_has_kernel_for_dispatch_key(op, "Meta"):
        return
    torch.library.register_fake(op, function, lib=lib)

register("shop::mask", mask_fake)
"""
IN_PYTHON = 'lib.impl("mask", lambda x: torch.empty_like(x, dtype=torch.bool), "Meta")'
IN_CPP = """
#include <torch/library.h>
at::Tensor mask_meta(const at::Tensor& x) { return at::empty_like(x, x.options().dtype(at::kBool)); }
TORCH_LIBRARY_IMPL(shop, Meta, m) { m.impl("mask", &mask_meta); }
"""


def test_a_fake_beside_a_meta_kernel_is_not_registered(tmp_path: Path) -> None:
    def codes(folder: str, meta: str, **files: str) -> set[str]:
        found = lint_files(tmp_path / folder, {"ops.py": META.format(meta=meta), **files})
        return {one.code for one in found} & {"AOTI406", "AOTI410"}

    assert codes("none", "") == {"AOTI406"}
    assert codes("python", IN_PYTHON) == set()
    assert codes("native", "", **{"ops.cpp": IN_CPP}) == set()
    # A script beside it has an op of the same name, for itself.
    assert codes("beside", "", **{"other.py": META.format(meta=IN_PYTHON)}) == {"AOTI406"}


NATIVE = """
#include <torch/library.h>
at::Tensor pick_autograd(const at::Tensor& x, bool twice) {{
  static auto op =
    c10::Dispatcher::singleton().findSchemaOrThrow("{called}", "").typed<at::Tensor(const at::Tensor&)>();
  return op.call(x);
}}
TORCH_LIBRARY_IMPL(shop, AutogradCPU, m) {{ m.impl("pick", &pick_autograd); }}
"""


@pytest.mark.parametrize(("called", "said"), [("shop::pick_inner", False), ("shop::pick", True)])
def test_a_kernel_of_autograd_in_cpp(tmp_path: Path, called: str, said: bool) -> None:
    script = SCRIPT.format(kernel='lib.impl("pick", lambda x, twice=False: x * 2, "CPU")')
    found = lint_files(tmp_path / "run", {"ops.py": script, "ops.cpp": NATIVE.format(called=called)})
    assert ("AOTI402" in {one.code for one in found}) is said
