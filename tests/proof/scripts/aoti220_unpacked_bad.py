import torch

program = torch.export.export(torch.nn.Linear(8, 2).eval(), (torch.randn(4, 8),))
path, model = torch._inductor.aoti_compile_and_package(program)  # <- AOTI220
