import torch


class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.l = torch.nn.Linear(4, 3)

    def forward(self, x):
        return torch.relu(self.l(x))


from torch.export import Dim, ShapesCollection, export


class Two(torch.nn.Module):
    def forward(self, x, y):
        return x.sum(-1) + y.sum(-1)


b = Dim("b", min=2, max=64)
s = Dim("s")
x, y = torch.randn(4, 8), torch.randn(4, 8)
export(Two(), (x, y), dynamic_shapes={"x": {0: b}, "y": {0: b}})
export(Two(), (x, y), dynamic_shapes=({0: b, 1: s}, {0: b}))
export(Two(), (x, y), dynamic_shapes=[[b, None], (b, s)])
export(Two(), (x, y), dynamic_shapes={"x": (Dim.AUTO, Dim.STATIC), "y": {0: Dim.AUTO}})
export(Two(), (x, y), dynamic_shapes={"x": {0: Dim.DYNAMIC}, "y": {0: Dim.DYNAMIC}})
export(Two(), (x, y), dynamic_shapes={"x": None, "y": {1: 8}})
shapes = {}
for name in ("x", "y"):
    shapes[name] = {0: b}
export(Two(), (x, y), dynamic_shapes=shapes)
export(Two(), (x,), {"y": y}, dynamic_shapes={k: {0: b} for k in "xy"})
named = ShapesCollection()
named[x] = {0: Dim.DYNAMIC}
named[y] = {0: Dim.DYNAMIC}
export(Two(), (x, y), dynamic_shapes=named)
half = Dim("half", min=1, max=16)
export(M(), (torch.randn(6, 4),), dynamic_shapes={"x": {0: 2 * half}})


class Deep(torch.nn.Module):
    def forward(self, pair, table, scale=None):
        out = pair[0] + pair[1] * table["z"]
        return out if scale is None else out * scale


args = ((x, y), {"z": torch.randn(4, 8)})
export(Deep(), args, dynamic_shapes={"pair": ({0: b}, {0: b}), "table": {"z": {0: b}}})
ep = export(Deep(), args, {"scale": torch.tensor(2.0)})
ep.module()(*args, scale=torch.tensor(3.0))
