import torch

from package import Package

beam = Package("beam.pt2", "cuda")
for antennas in range(2, 20, 6):
    power = beam(torch.randn(antennas, 12), torch.rand(antennas, 4))
    print(antennas, power.mean().item())
print(beam.get_constant_fqns())
