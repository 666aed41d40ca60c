import torch

from gpus import SERVE, TRAIN, cuda

head = torch._inductor.aoti_load_package("head.pt2", device_index=SERVE)
print(head(torch.randn(4, 16).to(cuda(SERVE))).shape)
print(head(torch.randn(4, 16).to(cuda(TRAIN))).shape)
