import torch


class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.l = torch.nn.Linear(4, 3)

    def forward(self, x):
        return torch.relu(self.l(x))


class Outer(torch.nn.Module):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner
        self.register_buffer("scale", torch.ones(3))

    def forward(self, x):
        return self.inner(x) * self.scale


inner = M()
outer = Outer(inner)
outer.to("meta")
torch.export.export(inner, (torch.randn(2, 4, device="meta"),))
part = torch.nn.Sequential(M(), torch.nn.Linear(3, 3))
part[0].to("meta")
torch.export.export(part[0], (torch.randn(3, 4, device="meta"),))
torch.export.export(part[1], (torch.randn(3, 3),))
import copy

held = M()
moved = copy.deepcopy(held).to("meta")
torch.export.export(held, (torch.randn(4, 4),))
torch.export.export(moved, (torch.randn(4, 4, device="meta"),))
x = torch.randn(5, 4)
x.to("meta")
torch.export.export(M(), (x,))
x = x.to("meta")
torch.export.export(M().to("meta"), (x,))
models = {"a": M(), "b": M()}
for model in models.values():
    model.to("meta")
torch.export.export(models["b"], (torch.randn(6, 4, device="meta"),))
trained = M().train()
torch.export.export(trained.eval().train(False), (torch.randn(7, 4),))
torch.export.export(trained.train(), (torch.randn(8, 4),))
state = {key: value.to("meta") for key, value in M().state_dict().items()}
fresh = M()
fresh.load_state_dict(state, assign=True)
torch.export.export(fresh, (torch.randn(9, 4, device="meta"),))
torch.export.export(M()._apply(lambda t: t.to("meta")), (torch.randn(10, 4, device="meta"),))
