"""As many outputs as names."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return x.amax(-1), x


names = ["scores", "heat"]
made = torch.onnx.export(Net(), (torch.ones(2, 4),), output_names=names, dynamo=True, verbose=False)
print("outputs", [one.name for one in made.model.graph.outputs])
