import onnx.reference
import torch


class Net(torch.nn.Module):
    def forward(self, x):
        if x.isnan().any():
            raise ValueError("not a number")
        x = torch.where(x.mean() > 0, x * 0.5, x)
        return x / x.shape[0]


x = torch.ones(2, 3)
axes = {"x": {0: "batch"}}
torch.onnx.export(Net(), (x,), "net.onnx", input_names=["x"], dynamic_axes=axes, dynamo=False)
session = onnx.reference.ReferenceEvaluator("net.onnx")
other = -torch.ones(5, 3)
(found,) = session.run(None, {"x": other.numpy()})
torch.testing.assert_close(torch.from_numpy(found), Net()(other))
