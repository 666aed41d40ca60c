"""Where the parameters of a module live, whatever moved them."""

from __future__ import annotations

from aoti_lint.models.modules.module_parts import device_of
from aoti_lint.values.torch_values import Device, Mixed
from aoti_lint.values.values import Value
from tests.snippets import Ran, run

START = "import torch\nimport torch.nn as nn\n"


def place(ran: Ran, name: str) -> Value | None:
    """Where the parameters of a module that a snippet left behind live."""
    return device_of(ran.m, ran.m.see(ran.value(name)))


def test_getattr_is_asked_only_for_what_a_module_has_not() -> None:
    ran = run(
        START + "class Wrapper(nn.Module):\n"
        "    def __init__(self, inner):\n"
        "        super().__init__()\n"
        "        self.inner = inner\n"
        "    def __getattr__(self, name):\n"
        "        try:\n"
        "            return super().__getattr__(name)\n"
        "        except AttributeError:\n"
        "            return getattr(self.inner, name)\n"
        "inner = nn.Linear(2, 3)\n"
        "wrapper = Wrapper(inner)\n"
        "wrapper.to('cuda')\n"
    )
    assert place(ran, "inner") == place(ran, "wrapper") == Device("cuda")


def test_a_replaced_parameter_leaves_the_place_of_a_layer_open() -> None:
    ran = run(
        START + "layer = nn.Linear(2, 3)\n"
        "layer.weight = nn.Parameter(torch.zeros(3, 2, device='cuda'))\n"
        "layer.bias = None\n"
        "tied = nn.Linear(2, 3)\n"
        "tied.weight = nn.Linear(2, 3).weight\n"
    )
    assert not isinstance(place(ran, "layer"), Device | Mixed)
    assert place(ran, "tied") == Device("cpu")


def test_a_module_may_move_itself_in_a_way_of_its_own() -> None:
    ran = run(
        START + "class Fixed(nn.Module):\n"
        "    def __init__(self):\n"
        "        super().__init__()\n"
        "        self.layer = nn.Linear(2, 3)\n"
        "    def _apply(self, fn, recurse=True):\n"
        "        return self\n"
        "model = Fixed().to('cuda')\n"
    )
    assert not isinstance(place(ran, "model"), Device)


def test_methods_of_a_module_called_through_its_class() -> None:
    ran = run(
        START + "model, other = nn.Linear(2, 3), nn.Linear(2, 3)\n"
        "nn.Module.to(model, 'cuda')\n"
        "nn.Linear.cuda(other)\n"
        "x = torch.Tensor.to(torch.zeros(2), 'cuda')\n"
        "place = x.device\n"
    )
    assert place(ran, "model") == place(ran, "other") == ran.value("place") == Device("cuda")


def test_a_method_nobody_knows_may_move_a_module() -> None:
    ran = run(START + "model = nn.Linear(2, 3)\nmodel._apply(lambda t: t.cuda())\n")
    assert not isinstance(place(ran, "model"), Device)
