import torch


class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.l = torch.nn.Linear(4, 3)

    def forward(self, x):
        return torch.relu(self.l(x))


import math

rows = int("3") + round(2.6) - abs(-1)
torch.export.export(M(), (torch.randn(rows, 4),))
torch.export.export(M(), (torch.randn(max(2, min(9, 5)), 4),))
torch.export.export(M(), (torch.randn(2**3, 4),))
torch.export.export(M(), (torch.randn(17 % 10, 8 >> 1),))
torch.export.export(M(), (torch.randn(-7 // -2, 4),))
torch.export.export(M(), (torch.randn(math.prod((2, 3)), 4),))
torch.export.export(M(), (torch.randn(sum([1, 2, 3]), 4),))
torch.export.export(M(), (torch.randn(len("abc" * 2), 4),))
torch.export.export(M(), (torch.randn(math.ceil(7 / 2), 4),))
torch.export.export(M(), (torch.randn(int(True) + 1, 4),))
torch.export.export(M(), (torch.randn(*map(int, "5,4".split(",")),),))
torch.export.export(M(), (torch.randn(divmod(17, 5)[0], 4),))
torch.export.export(M(), (torch.randn((3, 6)[True], 4),))
torch.export.export(M(), (torch.randn([2, 7, 9][-2], 4),))
torch.export.export(M(), (torch.randn({"a": 8}.get("b", 9), 4),))
torch.export.export(M(), (torch.randn(sorted([5, 3])[0], 4),))
torch.export.export(M(), (torch.randn(3 if 1 < 2 < 3 else 4, 4),))
torch.export.export(M(), (torch.randn(0 or 5, 4),))
torch.export.export(M(), (torch.randn(7 and 6, 4),))
torch.export.export(M(), (torch.randn(int(3.9), 4),))
torch.export.export(M(), (torch.randn(-(-7 // 2), 4),))
