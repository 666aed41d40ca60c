import torch


class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.l = torch.nn.Linear(4, 3)

    def forward(self, x):
        return torch.relu(self.l(x))


ep = torch.export.export(M(), (torch.randn(2, 4),))
run = ep.module()
last = None
for batch in (2, 2):
    last = torch.randn(batch, 4)
    run(last)
for index, (size, device) in enumerate(zip([1, 3, 5], ["cpu", "cpu", "meta"])):
    torch.export.export(M().to(device), (torch.randn(size + index, 4, device=device),))
sizes = [2 * n for n in range(4) if n]
torch.export.export(M(), (torch.randn(sizes[-1], 4),))
total = 0
while total < 9:
    total += 4
torch.export.export(M(), (torch.randn(total, 4),))
for key, value in {"a": 6, "b": 7}.items():
    torch.export.export(M(), (torch.randn(value, 4),))
    if key == "b":
        break
else:
    value = 100
torch.export.export(M(), (torch.randn(value, 4),))
table = {name: torch.zeros(len(name), 4) for name in ("xy", "xyz")}
for tensor in table.values():
    torch.export.export(M(), (tensor,))
x = torch.zeros(1, 4)
for _ in range(3):
    x = torch.cat([x, x])
torch.export.export(M(), (x,))
