"""The entry of the second input goes to the first one, and the second stays as it is."""

import torch


class Net(torch.nn.Module):
    def forward(self, image, points):
        return image.mean() + points


pair, names = (torch.randn(3, 8), torch.randn(5, 2)), ["image", "points"]
axes = {"points": {0: "n"}}
made = torch.onnx.export(Net(), pair, input_names=names, dynamic_axes=axes, dynamo=True, verbose=False)  # <- AOTI345
print("inputs", [(one.name, str(one.shape)) for one in made.model.graph.inputs])
