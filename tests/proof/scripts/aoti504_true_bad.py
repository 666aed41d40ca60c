"""Only "1" is on."""

import os

os.environ["TORCHINDUCTOR_NAN_ASSERTS"] = "true"  # <- AOTI504
os.environ["TORCHINDUCTOR_FREEZING"] = "True"  # <- AOTI504
os.environ["AOT_INDUCTOR_DEBUG_COMPILE"] = "yes"  # <- AOTI504
import torch

config = torch._inductor.config
print(config.nan_asserts, config.freezing, config.aot_inductor.debug_compile)
