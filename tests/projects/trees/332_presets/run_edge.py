import torch

from presets import by_name

edge = by_name("edge")
run = torch._export.aot_load(edge.library, by_name("server").device)
print(run(torch.randn(edge.batch, 7)).shape)
