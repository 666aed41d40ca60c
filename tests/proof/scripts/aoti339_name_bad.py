"""A session of onnxruntime is given another name than the parameter has, and before that another dtype."""

import onnxruntime
import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return {"twice": x * 2, "same": x + 0}


model = torch.onnx.export(Net(), (torch.randn(2, 4),), dynamo=True)
model.save("net.onnx")
session = onnxruntime.InferenceSession("net.onnx")
print("given", type(session.run(None, {"x": torch.randn(2, 4).numpy()})).__name__)
try:
    session.run(None, {"x": torch.randn(2, 4).double().numpy()})
except Exception as error:
    print("caught", error)
session.run(None, {"input": torch.randn(2, 4).numpy()})  # <- AOTI339
