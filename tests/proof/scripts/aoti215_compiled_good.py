import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(8, 4)

    def forward(self, x):
        return torch.relu(self.linear(x))


model = Model().eval()
x = torch.randn(2, 8)
program = torch.export.export(torch.compile(model), (x,))
again = torch.export.export(torch.nn.DataParallel(model), (x,), strict=True)
print("programs", type(program).__name__, type(again).__name__)
