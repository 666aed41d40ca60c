"""Three names that torch does not know: nothing is said, nothing changes."""

import os

os.environ["AOTINDUCTOR_DEBUG_INTERMEDIATE_VALUE_PRINTER"] = "3"  # <- AOTI503
os.environ["TORCHINDUCTOR_NAN_ASSERT"] = "1"  # <- AOTI503
os.environ["TORCHINDUCTOR_TRITON_CUDAGRAPHS"] = "1"  # <- AOTI503
import torch

config = torch._inductor.config
print(config.aot_inductor.debug_intermediate_value_printer, config.nan_asserts, config.triton.cudagraphs)
