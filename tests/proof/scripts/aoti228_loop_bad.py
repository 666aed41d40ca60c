"""The path of the first package is loaded after a second model was compiled to the same file."""

import torch

x = torch.randn(2, 8)
paths = []
for model in (torch.nn.Linear(8, 4), torch.nn.Linear(8, 3)):
    program = torch.export.export(model.eval(), (x,))
    paths.append(torch._inductor.aoti_compile_and_package(program, package_path="model.pt2"))
first = torch._inductor.aoti_load_package(paths[0])  # <- AOTI228
print("the first model gives", tuple(first(x).shape))
