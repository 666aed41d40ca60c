import torch
from torch import nn


class Spectrum(nn.Module):
    def __init__(self, bins=33):
        super().__init__()
        self.gain = nn.Parameter(torch.ones(bins))
        self.register_buffer("floor", torch.full((bins,), 1e-3))

    def forward(self, power):
        return torch.log(power * self.gain + self.floor)


def main():
    torch.manual_seed(0)
    with torch.device("cuda"):
        model = Spectrum().eval()
        power = torch.rand(50, 33)
    frames = torch.export.Dim("frames", min=1, max=3000)
    with torch.inference_mode():
        program = torch.export.export(model, (power,), dynamic_shapes={"power": {0: frames}})
        torch._inductor.aoti_compile_and_package(program, package_path="spectrum.pt2")


if __name__ == "__main__":
    main()
