"""`repro_after` takes "dynamo" or "aot": with anything else every compile fails."""

import os

os.environ["TORCHDYNAMO_REPRO_AFTER"] = "inductor"  # <- AOTI504
import torch

torch.compile(torch.nn.ReLU())(torch.ones(4))
