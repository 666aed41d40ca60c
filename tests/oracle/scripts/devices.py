import torch


class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.l = torch.nn.Linear(4, 3)

    def forward(self, x):
        return torch.relu(self.l(x))


cpu = torch.device("cpu")
m = M()
torch.export.export(m, (torch.randn(2, 4, device=cpu),))
with torch.device("meta"):
    n = M()
    x = torch.randn(3, 4)
    z = torch.zeros(2, 4, device="cpu")
torch.export.export(n, (x,))
torch.export.export(m, (z,))
m.to("meta")
torch.export.export(m, (torch.randn(4, 4, device=x.device),))
k = M().to(x)
torch.export.export(k, (torch.randn(5, 4).to(x.device),))
torch.set_default_device("meta")
torch.export.export(M(), (torch.randn(6, 4),))
torch.set_default_device(None)
torch.export.export(M(), (torch.randn(7, 4),))
where = next(n.parameters()).device
torch.export.export(n, (torch.ones(8, 4, device=where),))
torch.export.export(M(), (torch.zeros_like(torch.randn(9, 4), device="cpu"),))
torch.export.export(n.to_empty(device="cpu"), (x.new_zeros(2, 4, device="cpu"),))
best = "cuda" if torch.cuda.is_available() else "cpu"
model = M().to(best)
ep = torch.export.export(model, (torch.randn(2, 4, device=best),))
ep.module()(torch.randn(2, 4, device=torch.device(best)))
acc = torch.device("cuda:0" if torch.cuda.is_available() else "cpu")
torch.export.export(M().to(device=acc), (torch.randn(2, 4).to(acc, non_blocking=True),))
