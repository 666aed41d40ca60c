import os

import torch

if os.environ.get("DEVICE") == "cpu" or not torch.cuda.is_available():
    DEVICE = torch.device("cpu")
else:
    DEVICE = torch.device(f"cuda:{os.environ.get('LOCAL_RANK', 0)}")
