"""The variable of the logs is read by `import torch`."""

import os

import torch

os.environ["TORCH_LOGS"] = "graph_breaks"  # <- AOTI501
print("artifacts", sorted(torch._logging._internal.log_state.artifact_names))
