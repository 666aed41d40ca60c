"""`guard` is no name of a log: `import torch` raises."""

import os

os.environ["TORCH_LOGS"] = "guard"  # <- AOTI504
import torch

print(torch.__version__)
