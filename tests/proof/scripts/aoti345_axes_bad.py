"""dynamic_axes has no entry for the second input, and nothing names that."""

import torch


class Net(torch.nn.Module):
    def forward(self, query, key):
        return query - key.sum()


pair = (torch.ones(2, 4), torch.ones(2, 4))
torch.onnx.export(Net(), pair, dynamic_axes={"query": {0: "rows"}}, dynamo=True, verbose=False)  # <- AOTI345
