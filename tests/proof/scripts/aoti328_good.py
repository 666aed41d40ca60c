import torch


class Net(torch.nn.Module):
    def forward(self, x, y=None, *rest, scale=1.0, **named):
        return x * scale if y is None else x + y


x, y, z = torch.randn(4, 3), torch.randn(4, 3), torch.randn(4, 3)
for args, kwargs in [((x,), None), ((x, y, z), {"scale": 2.0}), ((), {"x": x}), ((x,), {"y": y, "other": z})]:
    torch.export.export(Net(), args, kwargs)
    torch.export.export(Net(), args, kwargs, strict=True)
print("exported")
