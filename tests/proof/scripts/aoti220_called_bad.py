import torch

x = torch.randn(4, 8)
program = torch.export.export(torch.nn.Linear(8, 2).eval(), (x,))
compiled = torch._inductor.aoti_compile_and_package(program)
print(compiled(x))  # <- AOTI220
