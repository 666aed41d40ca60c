import torch


def checked(x):
    assert x.dtype == torch.float64, "float64 only"  # <- AOTI722
    return x


class Net(torch.nn.Module):
    def forward(self, x):
        return checked(x) * 2


torch.export.export(Net(), (torch.randn(2, 4),), dynamic_shapes={"x": {0: torch.export.Dim("b")}})
