import torch


class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.l = torch.nn.Linear(4, 3)

    def forward(self, x):
        return torch.relu(self.l(x))


def show(x, model=None):
    torch.export.export((model or M()).to(x.device), (x,))


x = torch.randn(4)
x.unsqueeze_(0)
show(x)
x = torch.randn(4, 3)
x.t_()
show(x)
x = torch.randn(1, 2, 4)
x.squeeze_()
show(x)
x = torch.randn(2, 4)
x.resize_(5, 4)
show(x)
x = torch.randn(2, 4)
x.data = torch.randn(6, 4)
show(x)
x = torch.empty(0)
torch.randn(7, 4, out=x)
show(x)
y = x.view(4, 7)
y.transpose_(0, 1)
show(y)
x = torch.randn(3, 4)
x += 1
show(x)
x = torch.randn(1, 4)
x = x + torch.zeros(8, 1)
show(x)
x = torch.randn(9, 4)
x.mul_(2).add_(1)
show(x[x.sum(1) < -1e9])
m = M()
m.l.weight = torch.nn.Parameter(m.l.weight.to("meta"))
m.l.bias = torch.nn.Parameter(torch.randn(3, device="meta"))
torch.export.export(m, (torch.randn(2, 4, device="meta"),))
n = M()
for name, parameter in list(n.named_parameters()):
    parent = n.get_submodule(name.rpartition(".")[0])
    setattr(parent, name.rpartition(".")[2], torch.nn.Parameter(parameter.to("meta")))
torch.export.export(n, (torch.randn(3, 4, device="meta"),))
x = torch.randn(4, 4)
x.swapaxes_(0, 1)
show(x)
x = torch.randn(5, 4)
x.set_(torch.randn(6, 4))
show(x)
