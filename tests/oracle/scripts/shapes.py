import torch


class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.l = torch.nn.Linear(4, 3)

    def forward(self, x):
        return torch.relu(self.l(x))


x = torch.randn(6, 4)
n = x.shape[0]
things = [
    x[:2],
    x[1:5:2],
    x[None, 0],
    x[-3:],
    x.t().contiguous().t(),
    x.reshape(3, 2, 4),
    x.view(2, -1, 4),
    x.unsqueeze(1),
    x.repeat(2, 1),
    x.expand(6, 4),
    torch.cat([x, x[:1]]),
    torch.stack([x, x]),
    torch.zeros_like(x),
    x.new_ones(n // 2, 4),
    torch.arange(24.0).reshape(6, 4),
    torch.tensor([[1.0, 2.0, 3.0, 4.0]] * 3),
    x.permute(1, 0).mT,
    x.flatten().view(-1, 4),
    torch.full((n + 1, 4), 0.5),
    x @ torch.eye(4),
    x[x.shape[0] - 1 :],
    x.chunk(3)[0],
    x.split(4)[1],
    x[[0, 2, 4]],
    x.narrow(0, 1, 3),
    x.squeeze(0),
    x.T.T,
    torch.empty(*x.shape),
    torch.rand(x.size()),
    torch.ones(x.size(0), x.size(-1)),
    torch.linspace(0, 1, 8).reshape(2, 4),
    x.mean(0, keepdim=True),
    torch.randint(0, 9, (5, 4)).float(),
    x.clone().detach().requires_grad_(False),
    x.movedim(0, 1).movedim(1, 0),
    (x + torch.ones(4)) * 2,
    torch.ones(1, 4) + torch.ones(5, 1),
    x.unflatten(0, (2, 3)),
    torch.nn.functional.pad(x[:, :2], (1, 1)),
]
for thing in things:
    torch.export.export(M(), (thing,))
m = M()
torch.export.export(m, (x[:2],))
torch.export.export(m, (x.reshape(3, 2, 4),))
torch.export.export(m, (x.view(2, -1, 4),))
torch.export.export(m, (torch.cat([x, x[:1]]),))
torch.export.export(m, (torch.stack([x, x]),))
torch.export.export(m, (torch.full((n + 1, 4), 0.5),))
torch.export.export(m, (x.repeat(2, 1),))
torch.export.export(m, (x.new_ones(n // 2, 4),))
torch.export.export(m, (x.unsqueeze(1),))
torch.export.export(m, (torch.ones(1, 4) + torch.ones(5, 1),))
torch.export.export(m, (torch.tensor([[1.0, 2.0, 3.0, 4.0]] * 3),))
torch.export.export(m, (x.chunk(3)[0],))
torch.export.export(m, (x[[0, 2, 4]],))
torch.export.export(m, (x.flatten().view(-1, 4),))
torch.export.export(m, (x[-3:],))
torch.export.export(m, (x.mean(0, keepdim=True),))
