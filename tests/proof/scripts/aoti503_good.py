"""The names as torch has them."""

import os

os.environ["AOT_INDUCTOR_DEBUG_INTERMEDIATE_VALUE_PRINTER"] = "3"
os.environ["TORCHINDUCTOR_NAN_ASSERTS"] = "1"
os.environ["TORCHINDUCTOR_CUDAGRAPHS"] = "1"
import torch

config = torch._inductor.config
print(config.aot_inductor.debug_intermediate_value_printer, config.nan_asserts, config.triton.cudagraphs)
