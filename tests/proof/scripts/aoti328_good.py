import torch


class Net(torch.nn.Module):
    def forward(self, x, y=None, *rest, scale=1.0, **named):
        return x * scale if y is None else x + y


x = torch.randn(4, 3)
for args, kwargs in [((x,), None), ((x, x, x), {"scale": 2.0}), ((), {"x": x}), ((x,), {"y": x, "other": x})]:
    torch.export.export(Net(), args, kwargs)
    torch.export.export(Net(), args, kwargs, strict=True)
print("exported")
