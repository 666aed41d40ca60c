import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = torch.nn.BatchNorm1d(4)

    def forward(self, x, mask=None):
        if x.size(1) != 4:
            raise ValueError(f"expected 4 columns, got {x.size(1)}")
        torch._check(x.size(0) > 1)
        assert x.dtype == torch.float32
        try:
            if x.ndim == 2:
                raise KeyError("two dimensions")
        except KeyError:
            x = x * 2
        return self.norm(x)


program = torch.export.export(Net().eval(), (torch.randn(2, 4),))
print("exported", program.module()(torch.randn(2, 4)).shape)
