import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(8, 4)

    def forward(self, x):
        return torch.relu(self.linear(x))


from torch.export import Dim, export

program = export(Model().eval(), (torch.randn(0, 8),), dynamic_shapes={"x": {0: Dim("batch", min=0)}})  # <- AOTI302
print("sizes", [tuple(node.meta["val"].shape) for node in program.graph.nodes if node.name == "x"])
