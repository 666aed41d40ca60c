import logging

import torch

torch._logging.set_logs(dynamo=logging.DEBUG, output_code=True)
print("level", logging.getLogger("torch._dynamo").getEffectiveLevel())
