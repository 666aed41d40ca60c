import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first = torch.nn.Linear(10, 16)
        self.second = torch.nn.Linear(16, 4)

    def forward(self, x):
        return torch.sigmoid(self.second(torch.relu(self.first(x))))


x = torch.randn(2, 10)
model = Model().eval()
expected = model(x)
program = torch.export.export(model, (x,))
module = program.module().to("cuda")
print("equal", torch.allclose(module(x.cuda()).cpu(), expected, atol=1e-5))
