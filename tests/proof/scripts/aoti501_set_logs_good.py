"""`set_logs` works at any time, as long as TORCH_LOGS is not set."""

import torch

torch._logging.set_logs(graph_breaks=True)
print("artifacts", sorted(torch._logging._internal.log_state.artifact_names))
