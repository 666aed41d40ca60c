import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(8, 4)

    def forward(self, x):
        return torch.relu(self.linear(x))


from torch.export import Dim, export

x = torch.randn(1, 8)
torch._dynamo.decorators.mark_unbacked(x, 0)
program = export(Model().eval(), (x,), dynamic_shapes={"x": {0: Dim("batch")}})
print("sizes", [tuple(node.meta["val"].shape) for node in program.graph.nodes if node.name == "x"])
