import onnx.reference
import torch


class Net(torch.nn.Module):
    def forward(self, x):
        if x.mean() > 0:  # <- AOTI353
            x = x * 0.5
        return x / len(x)  # <- AOTI353


x = torch.ones(2, 3)
axes = {"x": {0: "batch"}}
torch.onnx.export(Net(), (x,), "net.onnx", input_names=["x"], dynamic_axes=axes, dynamo=False)
session = onnx.reference.ReferenceEvaluator("net.onnx")
other = -torch.ones(5, 3)
(found,) = session.run(None, {"x": other.numpy()})
assert torch.equal(torch.from_numpy(found), Net()(other)), "as for the example"
