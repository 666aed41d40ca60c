import numpy as np
import torch
from torch import nn


def packaged(model, example):
    program = torch.export.export(model.eval(), (example,))
    path = torch._inductor.aoti_compile_and_package(program, package_path="net.pt2")
    return torch._inductor.aoti_load_package(path)


with torch.no_grad():
    see, linear, wave = nn.Conv2d(3, 4, 3), nn.Linear(8, 4), nn.Conv1d(8, 4, 3)
    run = packaged(see, torch.rand(2, 3, 8, 10))
    image = (torch.randint(0, 255, (2, 8, 10, 3)).permute(0, 3, 1, 2).float() / 255).contiguous()
    print("permuted", torch.allclose(run(image), see(image), atol=1e-3))
    array = np.random.rand(2, 8, 10, 3).astype(np.float32).transpose(0, 3, 1, 2)
    image = torch.from_numpy(np.ascontiguousarray(array))
    print("array", torch.allclose(run(image), see(image), atol=1e-3))
    image = torch.from_numpy(array.copy())
    print("copy", torch.allclose(run(image), see(image), atol=1e-3))
    image = torch.stack([torch.rand(8, 10, 3).permute(2, 0, 1) for _ in range(2)])
    print("stacked", torch.allclose(run(image), see(image), atol=1e-3))
    rows = torch.rand(8, 2).t()
    print("linear", torch.allclose(packaged(linear, torch.rand(2, 8))(rows), linear(rows), atol=1e-3))
    rows = torch.rand(2, 6, 8).transpose(1, 2)
    print("wave", torch.allclose(packaged(wave, torch.rand(2, 8, 6))(rows), wave(rows), atol=1e-3))
