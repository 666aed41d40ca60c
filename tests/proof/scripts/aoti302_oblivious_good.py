import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(8, 4)

    def forward(self, x):
        return torch.relu(self.linear(x))


from torch.export import Dim, export

import torch.fx.experimental._config

torch.fx.experimental._config.backed_size_oblivious = True
program = export(Model().eval(), (torch.randn(1, 8),), dynamic_shapes={"x": {0: Dim("batch")}})
print("sizes", [tuple(node.meta["val"].shape) for node in program.graph.nodes if node.name == "x"])
