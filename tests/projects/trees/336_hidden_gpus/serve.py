import cpu_only  # noqa: F401, I001

import torch

tiny = torch._inductor.aoti_load_package("tiny.pt2")
print(tiny(torch.randn(2, 3).cuda()).shape)
