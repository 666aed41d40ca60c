import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(8, 4)

    def forward(self, x):
        return torch.relu(self.linear(x))


model = Model().eval()
x = torch.randn(2, 8)
(batch,) = torch.export.dims("batch", max=64)
program = torch.export.export(model, (x,), dynamic_shapes={"x": {0: batch}})
print("ranges", len(program.range_constraints))
