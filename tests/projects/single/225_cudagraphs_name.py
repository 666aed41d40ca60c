import os

os.environ.setdefault("TORCHINDUCTOR_CUDAGRAPHS", "1")

import torch

print(torch._inductor.config.triton.cudagraphs)
