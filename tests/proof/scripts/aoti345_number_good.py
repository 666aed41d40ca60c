"""A tensor is an input of the model."""

import numpy
import torch
from onnx.reference import ReferenceEvaluator


class Net(torch.nn.Module):
    def forward(self, x, by: float = 0.5):
        return x * by


x, names = torch.ones(2, 4), ["x", "by"]
made = torch.onnx.export(Net(), (x, torch.tensor(0.5)), input_names=names, dynamo=True, verbose=False)
session = ReferenceEvaluator(made.model_proto)
print("gives", session.run(None, {"x": x.numpy(), "by": numpy.array(3, numpy.float32)})[0].mean())
