"""With "1" all three are on."""

import os

os.environ["TORCHINDUCTOR_NAN_ASSERTS"] = "1"
os.environ["TORCHINDUCTOR_FREEZING"] = "1"
os.environ["AOT_INDUCTOR_DEBUG_COMPILE"] = "1"
import torch

config = torch._inductor.config
print(config.nan_asserts, config.freezing, config.aot_inductor.debug_compile)
