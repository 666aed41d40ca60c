"""torch.set_default_device is taken back before the call."""
import torch
from torch import nn


class Fold(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(6, 2)

    def forward(self, x):
        return self.fc(x).sum(0)


if __name__ == "__main__":
    torch.set_default_device("cuda")
    program = torch.export.export(Fold().eval(), (torch.ones(4, 6),))
    fold = torch._inductor.aoti_load_package(torch._inductor.aoti_compile_and_package(program, package_path="fold.pt2"))
    torch.set_default_device("cpu")
    print(fold(torch.zeros(4, 6)).device.type)
