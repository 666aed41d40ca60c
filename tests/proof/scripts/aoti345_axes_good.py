"""Both inputs are named, and one has an entry."""

import torch


class Net(torch.nn.Module):
    def forward(self, query, key):
        return query - key.sum()


pair, names = (torch.ones(2, 4), torch.ones(2, 4)), ["query", "key"]
axes = {"query": {0: "rows"}}
made = torch.onnx.export(Net(), pair, input_names=names, dynamic_axes=axes, dynamo=True, verbose=False)
print([(one.name, str(one.shape)) for one in made.model.graph.inputs])
