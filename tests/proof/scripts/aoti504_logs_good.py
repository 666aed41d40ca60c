"""Names of logs, artifacts and modules; spaces and a level before an artifact do no harm."""

import os

os.environ["TORCH_LOGS"] = "guards, +dynamo, +fusion, torch._inductor.scheduler, json"
import torch

print("artifacts", sorted(torch._logging._internal.log_state.artifact_names))
