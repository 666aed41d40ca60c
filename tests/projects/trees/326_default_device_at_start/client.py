import bootstrap  # noqa: F401

import torch

price = torch._inductor.aoti_load_package("price.pt2")
print(price(torch.rand(3, 10)).flatten().tolist())
