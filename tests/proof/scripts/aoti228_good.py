"""The first package is loaded before the second is compiled to its file; or each has a file of its own."""

import torch

x = torch.randn(2, 8)
runs = []
for model in (torch.nn.Linear(8, 4), torch.nn.Linear(8, 3)):
    program = torch.export.export(model.eval(), (x,))
    path = torch._inductor.aoti_compile_and_package(program, package_path="model.pt2")
    runs.append(torch._inductor.aoti_load_package(path))
print([tuple(run(x).shape) for run in runs])
