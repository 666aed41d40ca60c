"""Tensors across choices, unknowns, changes in place and loops: what stays correlated and what is forgotten."""

from __future__ import annotations

import pytest

from aoti_lint.values.torch_values import Device, Tensor
from aoti_lint.values.values import Choice, Const, Obj, Sym, Unknown, Value
from tests.snippets import Ran, run

CPU, CUDA = Device("cpu"), Device("cuda")
HEAD = """
import argparse, torch, other
import torch.nn.functional as F
import numpy as np
parser = argparse.ArgumentParser()
parser.add_argument("--batch", type=int, default=4)
parser.add_argument("--device", default="cuda")
args = parser.parse_args()
unknown = other.thing()
"""


def after(text: str) -> Ran:
    return run(HEAD + text)


def tensor(ran: Ran, name: str) -> Tensor:
    value = ran.value(name)
    assert isinstance(value, Tensor), value
    return value


def sizes(ran: Ran, name: str) -> list[object] | None:
    shape = tensor(ran, name).shape
    return None if shape is None else [s.value if isinstance(s, Const) else s for s in shape]


def test_a_symbolic_size_is_one_size_everywhere() -> None:
    ran = after(
        "x = torch.randn(args.batch, 3, 8)\ny = torch.zeros(args.batch, 24)\nz = x.view(x.size(0), -1)\nw = z + y"
    )
    batch = tensor(ran, "x").shape
    assert batch is not None
    assert isinstance(batch[0], Sym)
    assert sizes(ran, "z") == sizes(ran, "w") == [batch[0], 24]


def test_a_device_from_an_option_agrees_with_itself() -> None:
    ran = after(
        "x = torch.randn(2, device=args.device)\ny = torch.randn(2).to(args.device)\nz = x + y\nw = torch.zeros_like(z)"
    )
    device = tensor(ran, "x").device
    assert isinstance(device, Sym)
    assert tensor(ran, "z").device == tensor(ran, "y").device == tensor(ran, "w").device == device


def test_a_conditional_device_stays_one_choice() -> None:
    ran = after('d = "cuda" if torch.cuda.is_available() else "cpu"\nx = torch.randn(2, 3).to(d)\ny = torch.relu(x)[0]')
    device = tensor(ran, "y").device
    assert isinstance(device, Choice)
    assert {device.then, device.other} == {CPU, CUDA}


def test_a_conditional_batch_stays_one_choice() -> None:
    ran = after("n = 1 if unknown else 8\nx = torch.randn(n, 3)\ny = torch.cat([x, x])")
    shape = tensor(ran, "y").shape
    assert shape is not None
    assert isinstance(shape[0], Choice)
    assert {shape[0].then, shape[0].other} == {Const(2), Const(16)}


def test_a_conditional_shape_gives_two_tensors() -> None:
    ran = after("s = (1, 3) if unknown else (2, 3, 4)\nx = torch.randn(s)\ny = x.sum(-1)")
    value = ran.value("y")
    assert isinstance(value, Choice)
    assert isinstance(value.then, Tensor)
    assert isinstance(value.other, Tensor)
    assert (value.then.shape, value.other.shape) == ((Const(1),), (Const(2), Const(3)))


@pytest.mark.parametrize(
    ("text", "device"),
    [
        ("torch.from_numpy(unknown)", CPU),
        ("torch.from_numpy(np.zeros((2, 3), dtype=np.float32)).cuda()", CUDA),
        ("torch.randn(2).cuda(1)", Device("cuda", 1)),
        ("torch.randn(2).to(1)", Device("cuda", 1)),
        ("torch.randn(2, device='cuda').cpu().float()", CPU),
        ("torch.randn(2).to(torch.randn(1, device='cuda'))", CUDA),
        ("torch.tensor([1, 2], device='cuda').new_zeros(3)", CUDA),
        ("torch.randn(2, 3, device='cuda') + unknown", CUDA),
        ("torch.randn(2, 3, device='cuda') + torch.tensor(1.0)", CUDA),
        ("torch.tensor(1.0) + torch.randn(2, 3, device='cuda')", CUDA),
        ("torch.randn(2, device='cuda')[torch.tensor([0, 1])]", CUDA),
        ("torch.randn(2, device='cuda').data.detach().requires_grad_()", CUDA),
        ("torch.randn(2).copy_(torch.randn(2, device='cuda'))", CPU),
        ("torch.randn(2, device='cuda').type_as(torch.randn(2))", CPU),
        ("torch.Tensor([1, 2])", CPU),
        ("torch.cuda.FloatTensor(2, 3)", CUDA),
    ],
)
def test_device(text: str, device: Device) -> None:
    assert tensor(after(f"x = {text}"), "x").device == device


@pytest.mark.parametrize(
    "text",
    [
        "torch.randn(2).to(unknown)",
        "torch.randn(2).to(other.DEVICE)",
        "torch.randn(2, **unknown)",
        "torch.randn(2).to(*unknown)",
        "torch.tensor(unknown)",
        "torch.as_tensor(unknown)",
        "torch.zeros_like(unknown)",
        "torch.tensor(1.0) + unknown",
        "torch.randn(2).type('torch.cuda.FloatTensor')",
        "torch.randn(2, 3) + torch.randn(2, 3, device='cuda')",
        "torch.randn(2, device=args.device) + torch.randn(2)",
        "torch.zeros(2, out=unknown)",
        "torch.full_like(unknown, 1)",
    ],
)
def test_device_that_cannot_be_told(text: str) -> None:
    value = after(f"x = {text}").value("x")
    assert isinstance(value.device if isinstance(value, Tensor) else value, Unknown)


@pytest.mark.parametrize(
    "text",
    [
        "torch.randn(unknown)",
        "torch.randn(*unknown)",
        "torch.randn(2, *unknown)",
        "torch.randn(2, 3) + unknown",
        "torch.randn(2, 3)[unknown]",
        "torch.randn(2, 3).sum(unknown)",
        "torch.randn(2, 3).sum(0, unknown)",
        "torch.randn(args.batch, 3).squeeze()",
        "torch.randn(2, 3).reshape(unknown)",
        "torch.cat([torch.randn(2, 3), unknown])",
        "torch.randn(2, 3).permute(*unknown)",
        "torch.randn(2, 3)[torch.randn(2, 3) > 0, 0]",
        "torch.randn(2, 3).squeeze(unknown)",
        "torch.tensor(unknown)",
        "torch.randn(2, 3) + torch.randn(4, 5)",
    ],
)
def test_shape_that_cannot_be_told(text: str) -> None:
    assert sizes(after(f"x = {text}"), "x") is None


@pytest.mark.parametrize(
    "text",
    ["torch.randn(2, unknown)", "torch.arange(unknown)", "torch.randn(4, 3)[:unknown]", "torch.randn(2, args.batch)"],
)
def test_a_size_that_is_not_known_leaves_the_rank(text: str) -> None:
    found = sizes(after(f"x = {text}"), "x")
    assert found is not None
    assert any(isinstance(s, Value) for s in found)


def test_changes_of_shape_in_place_reach_all_names() -> None:
    ran = after("x = torch.ones(1, 2)\nbox = [x]\ny = x\nx.unsqueeze_(0)\nz = box[0]\nx.resize_(5)\n")
    assert sizes(ran, "x") == sizes(ran, "y") == [5]
    assert sizes(ran, "z") == [5]


def test_a_branch_that_reshapes_in_place_is_a_choice() -> None:
    value = after("x = torch.ones(1, 2)\nif unknown:\n    x.squeeze_()\n").value("x")
    assert isinstance(value, Choice)


def test_new_data_moves_a_tensor() -> None:
    ran = after("x = torch.ones(1)\ny = x\nx.data = x.data.cuda()\nz = torch.ones(1)\nz.data = unknown\n")
    assert tensor(ran, "y").device == CUDA
    assert isinstance(tensor(ran, "z").device, Unknown)


def test_parameters_moved_by_hand_are_not_believed_to_stay() -> None:
    ran = after("layer = torch.nn.Linear(2, 2)\nfor p in layer.parameters():\n    p.data = p.data.to('cuda')\n")
    layer = ran.value("layer")
    assert isinstance(layer, Obj)
    device = ran.m.read(layer.ident, "#device")
    assert not isinstance(device, Device)


def test_a_loop_keeps_what_does_not_change() -> None:
    ran = after("x = torch.ones(2, 3)\nfor i in range(unknown):\n    x = torch.cat([x, torch.ones(2, 1)], 1)\n")
    value = ran.value("x")
    assert isinstance(value, Choice)
    for arm in (value.then, value.other):
        assert isinstance(arm, Tensor)
        assert arm.device == CPU
        assert arm.shape is not None
        assert arm.shape[0] == Const(2)


def test_a_loop_that_moves_forgets_the_device() -> None:
    value = after("x = torch.ones(2)\nfor d in unknown:\n    y = x\n    x = torch.ones(2, device='cuda')\n").value("y")
    assert isinstance(value, Choice)
    assert isinstance(value.then, Tensor)
    assert isinstance(value.then.device, Unknown)


def test_default_device_and_dtype() -> None:
    ran = after(
        "with torch.device('cuda'):\n    x = torch.ones(2)\n"
        "    l = torch.tensor([1])\n    n = torch.from_numpy(unknown)\n"
        "y = torch.ones(2)\ntorch.set_default_dtype(torch.float64)\nz = torch.ones(2)\n"
        "torch.set_default_device('cuda')\nw = torch.randn(2)\nk = torch.tensor(y)\n"
    )
    assert [tensor(ran, n).device for n in "xlnyw"] == [CUDA, CUDA, CPU, CPU, CUDA]
    assert (tensor(ran, "y").dtype, tensor(ran, "z").dtype) == ("torch.float32", "torch.float64")
    assert isinstance(tensor(ran, "k").device, Unknown)


def test_comparisons_of_tensors_are_tensors() -> None:
    ran = after("x = torch.randn(2, 3)\na = x > 0\nb = x == x\nc = 0 != x\nd = x is None\ne = x == None\n")
    assert all(tensor(ran, n).dtype == "torch.bool" and sizes(ran, n) == [2, 3] for n in "abc")
    assert ran.python("d") is False


def test_the_matrix_product_is_no_product_of_elements() -> None:
    assert sizes(after("x = torch.randn(1, 3) @ torch.randn(3, 1)"), "x") == [1, 1]


def test_parts_of_an_unknown_size_can_be_unpacked() -> None:
    ran = after(
        "x = torch.randn(2, args.batch, device='cuda')\na, b = x.chunk(2, dim=1)\nfirst, second = torch.split(x, 1)\n"
    )
    assert tensor(ran, "a").device == tensor(ran, "second").device == CUDA
    assert sizes(ran, "second") is not None
    found = sizes(ran, "a")
    assert found is not None
    assert found[0] == 2
    assert isinstance(found[1], Unknown)


def test_functions_of_numpy_have_the_shapes_of_torchs() -> None:
    ran = after(
        "rng = np.random.default_rng(0)\nimage = rng.integers(0, 255, size=(20, 30, 3), dtype=np.uint8)\n"
        "a = torch.from_numpy(np.stack([np.random.rand(8) for _ in range(6)]))\n"
        "b = torch.from_numpy((image / 255.0 - np.array([0.1, 0.2, 0.3])).transpose(2, 0, 1)[None])\n"
        "c = torch.from_numpy(np.concatenate([np.zeros((2, 3)), np.ones((4, 3))], axis=0))\n"
        "d = torch.from_numpy(image[:10, ..., 0])\ne = torch.from_numpy(np.expand_dims(np.full((3, 2), 1.5), axis=0))\n"
        "f = torch.from_numpy(image[image > 3])\n"
    )
    found = [sizes(ran, name) for name in "abcdef"]
    assert found == [[6, 8], [1, 3, 20, 30], [6, 3], [10, 30], [1, 3, 2], None]


def test_arrays_become_tensors_on_the_cpu() -> None:
    ran = after(
        "x = torch.from_numpy(np.random.rand(2, 3).astype(np.float32))\ny = torch.tensor(np.zeros((4,)))\n"
        "a = np.ones((2, 3))\na.shape = (3, 2)\nz = torch.as_tensor(a)\n"
        "b = np.ones(3)\nb.resize((9,))\nw = torch.from_numpy(b)\n"
        "v = torch.ones(2, 5).numpy()\nu = torch.from_numpy(v)\nt = torch.from_numpy(np.random.rand(2, 3)[0])\n"
    )
    assert (sizes(ran, "x"), tensor(ran, "x").dtype, tensor(ran, "x").device) == ([2, 3], "torch.float32", CPU)
    assert (sizes(ran, "y"), tensor(ran, "y").dtype) == ([4], "torch.float64")
    assert (sizes(ran, "z"), sizes(ran, "w"), sizes(ran, "u"), sizes(ran, "t")) == ([3, 2], None, [2, 5], [3])


def test_where_a_tensor_was_made_and_where_it_was_moved() -> None:
    ran = after("x = torch.randn(2)\ny = x.relu()\nz = y.to('cuda')\n")
    assert tensor(ran, "x").span == tensor(ran, "y").span
    assert tensor(ran, "z").span != tensor(ran, "y").span
    assert len({tensor(ran, n).key for n in "xyz"}) == 3


def test_a_derived_tensor_is_no_parameter() -> None:
    ran = after("p = torch.nn.Parameter(torch.ones(2, 3))\nx = p * 2\ny = p.t()\n")
    assert (tensor(ran, "p").role, tensor(ran, "x").role, tensor(ran, "y").role) == ("parameter", "", "")
    assert sizes(ran, "y") == [3, 2]


@pytest.mark.parametrize(
    "text",
    ["torch.randn(7, 4, out=x)", "torch.add(torch.ones(7, 4), 1, out=x)", "torch.cat([torch.ones(7, 4)], out=x)"],
)
def test_a_tensor_that_is_written_to_may_be_resized(text: str) -> None:
    ran = after(f"x = torch.empty(0)\ny = x\n{text}\n")
    assert sizes(ran, "x") is None
    assert sizes(ran, "y") is None
    assert tensor(ran, "x").device == CPU
