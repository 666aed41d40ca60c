import torch


class Model(torch.nn.Module):
    def forward(self, x):
        return torch.relu(x) + 1


x = torch.randn(2, 10)
program = torch.export.export(Model(), (x,))
print("equal", torch.equal(program.module()(x.cuda()).cpu(), Model()(x)))
