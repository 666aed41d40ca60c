import torch
from torch import nn

from common import DEVICE, PACKAGE, SENSORS


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(SENSORS, 3)

    def forward(self, x):
        return self.fc(x).softmax(-1)


def main():
    model = Model().to(DEVICE).eval()
    x = torch.randn(4, SENSORS, device=DEVICE)
    program = torch.export.export(model, (x,), dynamic_shapes=({0: torch.export.Dim("n", min=1, max=64)},))
    torch._inductor.aoti_compile_and_package(program, package_path=str(PACKAGE))


if __name__ == "__main__":
    main()
