import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(8, 4)

    def forward(self, x):
        return torch.relu(self.linear(x))


from torch.export import Dim, ShapesCollection, export

x = torch.randn(1, 8)
shapes = ShapesCollection()
shapes[x] = {0: Dim.DYNAMIC}
program = export(Model().eval(), (x,), dynamic_shapes=shapes)
print("sizes", [tuple(node.meta["val"].shape) for node in program.graph.nodes if node.name == "x"])
