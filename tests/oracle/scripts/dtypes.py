import torch


class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.l = torch.nn.Linear(4, 3)

    def forward(self, x):
        return torch.relu(self.l(x))


x = torch.randn(2, 4)
torch.export.export(M().half(), (x.half(),))
torch.export.export(M().double(), (x.to(torch.float64),))
torch.export.export(M().to(torch.bfloat16), (x.bfloat16(),))
torch.export.export(M().to("cpu", torch.float64), (torch.zeros(3, 4, dtype=torch.double),))
torch.set_default_dtype(torch.float64)
torch.export.export(M(), (torch.randn(2, 4),))
torch.set_default_dtype(torch.float32)


class Ids(torch.nn.Module):
    def forward(self, ids, mask):
        return (ids * mask).float()


torch.export.export(Ids(), (torch.arange(6), torch.tensor([True, False, True, True, False, True])))
torch.export.export(Ids(), (torch.randint(0, 10, (3, 2)), torch.ones(3, 2, dtype=torch.int32)))
torch.export.export(Ids(), (torch.tensor([1, 2]), torch.tensor(1.5)))
