"""The names stand in the order of the parameters."""

import torch
from onnx.reference import ReferenceEvaluator


class Net(torch.nn.Module):
    def forward(self, query, key):
        return query - 2 * key


query, key = torch.ones(2, 4), torch.zeros(2, 4)
made = torch.onnx.export(Net(), (query, key), input_names=["query", "key"], dynamo=True, verbose=False)
session = ReferenceEvaluator(made.model_proto)
print("gives", session.run(None, {"query": query.numpy(), "key": key.numpy()})[0].mean())
