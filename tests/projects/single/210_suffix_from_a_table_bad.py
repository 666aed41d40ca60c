import torch
from torch import nn

SUFFIX = {"program": ".ep.pt2", "package": ".so"}


class Net(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(8, width), nn.GELU(), nn.Linear(width, 4))

    def forward(self, x):
        return self.body(x)


def save(model, example, stem):
    program = torch.export.export(model, example)
    torch.export.save(program, stem + SUFFIX["program"])
    return torch._inductor.aoti_compile_and_package(program, package_path=stem + SUFFIX["package"])


save(Net().eval(), (torch.randn(2, 8),), "net")
