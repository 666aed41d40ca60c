"""torch.set_default_device: everything that is made is made there."""
import torch
from torch import nn

torch.set_default_device("cuda")


class Fold(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(6, 2)

    def forward(self, x):
        return self.fc(x).sum(0)


if __name__ == "__main__":
    program = torch.export.export(Fold().eval(), (torch.ones(4, 6),))
    fold = torch._inductor.aoti_load_package(torch._inductor.aoti_compile_and_package(program, package_path="fold.pt2"))
    print(fold(torch.zeros(4, 6)).device.type, fold(torch.ones(4, 6, device="cpu").cuda()).shape)
