"""A model with a `triton_op` is exported to ONNX, where nothing says what the op is."""

import torch


@torch.library.triton_op("shop::twice", mutates_args=())
def twice(x: torch.Tensor) -> torch.Tensor:
    return x * 2


class Net(torch.nn.Module):
    def forward(self, x):
        return twice(x) + 1


torch.onnx.export(Net(), (torch.randn(4),), "net.onnx", dynamo=True)  # <- AOTI229
