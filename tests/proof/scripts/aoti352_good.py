import torch


class Gate(torch.nn.Module):
    def forward(self, value, gate):
        return value - gate


x = torch.ones(3)
program = torch.export.export(Gate(), (x, x.clone()))
print("difference", program.module()(torch.ones(3), torch.zeros(3)).tolist())
same = torch.export.export(Gate(), (x, x))
y = torch.zeros(3)
print("itself", same.module()(y, y).tolist())
