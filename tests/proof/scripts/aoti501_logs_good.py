"""Set before `import torch`, the names are taken."""

import os

os.environ["TORCH_LOGS"] = "graph_breaks"
import torch

print("artifacts", sorted(torch._logging._internal.log_state.artifact_names))
