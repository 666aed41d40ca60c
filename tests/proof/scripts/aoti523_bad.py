import torch

torch._logging.set_logs(dynamo=True)  # <- AOTI523
