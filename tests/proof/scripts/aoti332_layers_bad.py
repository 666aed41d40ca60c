import numpy as np
import torch
from torch import nn


def packaged(model, example):
    program = torch.export.export(model.eval(), (example,))
    path = torch._inductor.aoti_compile_and_package(program, package_path="net.pt2")
    return torch._inductor.aoti_load_package(path)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Dropout(), nn.Conv2d(3, 4, 3), nn.ReLU())

    def forward(self, image):
        return self.body(image)


with torch.no_grad():
    model, linear = Net(), nn.Linear(8, 4)
    see = packaged(model, torch.rand(2, 3, 8, 10))
    image = torch.randint(0, 255, (2, 8, 10, 3)).permute(0, 3, 1, 2).float() / 255
    print("permuted", torch.allclose(see(image), model(image), atol=1e-3))  # <- AOTI332
    array = np.random.rand(2, 8, 10, 3).astype(np.float32).transpose(0, 3, 1, 2)
    image = torch.from_numpy(array - 0.5)
    print("array", torch.allclose(see(image), model(image), atol=1e-3))  # <- AOTI332
    fit = packaged(linear, torch.rand(2, 5, 8))
    rows = torch.rand(2, 8, 5).transpose(1, 2)
    print("linear", torch.allclose(fit(rows), linear(rows), atol=1e-3))  # <- AOTI332
