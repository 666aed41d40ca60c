"""There is one output: its second name is dropped without a word."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return x.amax(-1)


names = ["scores", "heat"]
made = torch.onnx.export(Net(), (torch.ones(2, 4),), output_names=names, dynamo=True, verbose=False)  # <- AOTI345
print("outputs", [one.name for one in made.model.graph.outputs])
