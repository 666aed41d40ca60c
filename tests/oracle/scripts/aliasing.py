import torch


class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.l = torch.nn.Linear(4, 3)

    def forward(self, x):
        return torch.relu(self.l(x))


def grow(items):
    items.append(torch.randn(9, 4))
    return items


def move(holder):
    holder["device"] = "meta"


def swap(model):
    model.l = torch.nn.Linear(7, 3)


batch = [torch.randn(2, 4)]
alias = batch
grow(alias)
torch.export.export(M(), (batch[-1],))
conf = {"device": "cpu"}
also = conf
move(also)
torch.export.export(M().to(conf["device"]), (torch.randn(3, 4, device=conf["device"]),))
model = M()
same = model
swap(same)
torch.export.export(model, (torch.randn(4, 7),))
inputs = (torch.randn(5, 4),)
kept = inputs
inputs += (1,)
torch.export.export(M(), kept)


def default(size, seen=[]):
    seen.append(size)
    return len(seen)


default(4)
torch.export.export(M(), (torch.randn(default(4), 4),))
nested = [[2], [3]]
copied = list(nested)
copied[0].append(6)
torch.export.export(M(), (torch.randn(nested[0][-1], 4),))
first, *rest = [2, 3, 4]
rest[0] = 10
torch.export.export(M(), (torch.randn(rest[0], 4),))
left = right = {"n": 2}
right["n"] += 5
torch.export.export(M(), (torch.randn(left["n"], 4),))
