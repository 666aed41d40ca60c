import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(8, 4)

    def forward(self, x):
        return torch.relu(self.linear(x))


x = torch.randn(1, 8)
torch._dynamo.decorators.mark_unbacked(x, 0)
program = torch.export.export(Model().eval(), (x,), strict=True)
print("sizes", [tuple(node.meta["val"].shape) for node in program.graph.nodes if node.name == "x"])
