import torch
from torch import nn


class Base(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)

    def forward(self, x):
        return self.fc(x)


class Residual(Base):
    def forward(self, x):
        return x + super().forward(x)


class Deploy(nn.Module):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner

    def forward(self, x):
        return self.inner(x).softmax(-1)


def place(module, like):
    return module.to(like.device)


anchor = torch.zeros(3, 4, device="cuda")
model = place(Deploy(Residual()), like=anchor).eval()
program = torch.export.export(model, (anchor,))
path = torch._inductor.aoti_compile_and_package(program, package_path="deploy.pt2")
run = torch._inductor.aoti_load_package(path)
model.cpu()
host = torch.rand(3, 4)
print(run(host.to(next(model.parameters()).device)))
