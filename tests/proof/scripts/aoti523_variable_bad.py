import logging
import os

os.environ["TORCH_LOGS"] = "recompiles"
import torch

torch._logging.set_logs(dynamo=logging.DEBUG)  # <- AOTI523
print("level", logging.getLogger("torch._dynamo").getEffectiveLevel())
