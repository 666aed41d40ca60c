import torch
from torch import nn


class Beam(nn.Module):
    def __init__(self):
        super().__init__()
        self.steer = nn.Linear(12, 4, bias=False)

    def forward(self, phases, gains):
        return (self.steer(phases) * gains).sum(-1)


beam = Beam().cuda().eval()
where = next(beam.parameters()).device
example = torch.randn(5, 12, device=where), torch.ones(5, 4, device=where)
dims = {0: torch.export.Dim("antennas", max=512)}
program = torch.export.export(beam, example, dynamic_shapes=(dims, dims))
torch._inductor.aoti_compile_and_package(program, package_path="beam.pt2")
