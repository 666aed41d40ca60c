"""The number is a constant of the model, whatever it is called."""

import numpy
import torch
from onnx.reference import ReferenceEvaluator


class Net(torch.nn.Module):
    def forward(self, x, by: float = 0.5):
        return x * by


x, names = torch.ones(2, 4), ["x", "by"]
made = torch.onnx.export(Net(), (x, 0.5), input_names=names, dynamo=True, verbose=False)  # <- AOTI345
session = ReferenceEvaluator(made.model_proto)
print("gives", session.run(None, {"x": x.numpy(), "by": numpy.float32(3)})[0].mean())
