"""The module-level functions of torch.library; the second operator has kernels for two devices and no fake."""
import torch

torch.library.define("metro37::hop", "(Tensor stations, int by) -> Tensor")
torch.library.define("metro37::merge", "(Tensor a, Tensor b) -> Tensor", tags=torch.Tag.pt2_compliant_tag)


@torch.library.impl("metro37::hop", "cpu")
def hop(stations, by):
    return stations.roll(by, 0)


@torch.library.register_fake("metro37::hop")
def hop_shape(stations, by):
    return torch.empty_like(stations)


@torch.library.impl("metro37::merge", ("cpu", "cuda"))
def merge(a, b):
    return torch.cat([a, b])


class Line(torch.nn.Module):
    def forward(self, a, b):
        return torch.ops.metro37.merge(torch.ops.metro37.hop(a, 2), b)


if __name__ == "__main__":
    n = torch.export.Dim("n", min=2, max=50)
    program = torch.export.export(Line(), (torch.rand(4, 2), torch.rand(3, 2)), dynamic_shapes=({0: n}, None))
    print(program.module()(torch.rand(9, 2), torch.rand(3, 2)).shape)
