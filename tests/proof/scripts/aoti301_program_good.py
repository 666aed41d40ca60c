import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(8, 4)

    def forward(self, x):
        return torch.relu(self.linear(x))


batch = torch.export.Dim("batch")
program = torch.export.export(Model().eval(), (torch.randn(2, 8),), dynamic_shapes={"x": {0: batch}})
print("shape", tuple(program.module()(torch.randn(5, 8)).shape))
