import io

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return x * 2, x + 1


torch.onnx.export(Net(), (torch.ones(4),), io.BytesIO(), output_names=["a", "b"], dynamo=False)
