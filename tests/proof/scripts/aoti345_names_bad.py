"""The names go to the inputs in their order: fed by name, query and key are exchanged."""

import torch
from onnx.reference import ReferenceEvaluator


class Net(torch.nn.Module):
    def forward(self, query, key):
        return query - 2 * key


query, key = torch.ones(2, 4), torch.zeros(2, 4)
made = torch.onnx.export(Net(), (query, key), input_names=["key", "query"], dynamo=True, verbose=False)  # <- AOTI345
session = ReferenceEvaluator(made.model_proto)
print("gives", session.run(None, {"query": query.numpy(), "key": key.numpy()})[0].mean())
