import torch

from presets import by_name

server = by_name("server")
run = torch._export.aot_load(server.library, server.device)
print(run(torch.randn(server.batch, 7, device=server.device)).shape)
