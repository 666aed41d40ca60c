import torch

model = torch.nn.BatchNorm1d(8)
x = torch.randn(4, 8)
program = torch.export.export(model, (x,))  # <- AOTI701
run = torch._inductor.aoti_load_package(torch._inductor.aoti_compile_and_package(program))
others = torch.cat([x[:1], torch.full((3, 8), 9.0)])
print("the first row is the same", torch.allclose(run(x)[0], run(others)[0]))
