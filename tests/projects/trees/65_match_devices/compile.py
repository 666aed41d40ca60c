import torch
from torch import nn

from target import Target, device_of, package_of


class Ocr(nn.Module):
    def __init__(self):
        super().__init__()
        self.rows = nn.Linear(32, 16)

    def forward(self, strip):
        return self.rows(strip).softmax(-1)


def build(target: Target) -> None:
    device = device_of(target)
    strips = torch.rand(6, 32).to(device)
    program = torch.export.export(
        Ocr().to(device).eval(), (strips,), dynamic_shapes={"strip": {0: torch.export.Dim.DYNAMIC}}
    )
    torch._inductor.aoti_compile_and_package(program, package_path=package_of(target))


if __name__ == "__main__":
    for target in Target:
        build(target)
