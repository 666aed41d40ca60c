"""A custom op with a translation, and one whose kernel tracing goes through."""

import torch
from onnxscript import opset18

library = torch.library.Library("shop", "DEF")
library.define("thrice(Tensor x) -> Tensor")
library.impl("thrice", lambda x: x * 3, "CompositeImplicitAutograd")


@torch.library.custom_op("shop::twice", mutates_args=())
def twice(x: torch.Tensor) -> torch.Tensor:
    return x * 2


@twice.register_fake
def _(x):
    return torch.empty_like(x)


class Net(torch.nn.Module):
    def forward(self, x):
        return torch.ops.shop.thrice(twice(x))


def translated(x):
    return opset18.Add(x, x)


table = {torch.ops.shop.twice.default: translated}
made = torch.onnx.export(Net(), (torch.randn(4),), dynamo=True, custom_translation_table=table)
print(sorted({node.op_type for node in made.model.graph}))
