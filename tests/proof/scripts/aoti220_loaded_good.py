import torch

x = torch.randn(4, 8)
program = torch.export.export(torch.nn.Linear(8, 2).eval(), (x,))
path = torch._inductor.aoti_compile_and_package(program)
print("shape", tuple(torch._inductor.aoti_load_package(path)(x).shape))
