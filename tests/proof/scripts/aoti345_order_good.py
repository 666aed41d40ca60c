"""Every input has an entry, in their order."""

import torch


class Net(torch.nn.Module):
    def forward(self, image, points):
        return image.mean() + points


pair, names = (torch.randn(3, 8), torch.randn(5, 2)), ["image", "points"]
axes = {"image": {}, "points": {0: "n"}}
made = torch.onnx.export(Net(), pair, input_names=names, dynamic_axes=axes, dynamo=True, verbose=False)
print("inputs", [(one.name, str(one.shape)) for one in made.model.graph.inputs])
