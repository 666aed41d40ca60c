"""A word where a number is wanted: the first import of Inductor's settings raises."""

import os

os.environ["AOTINDUCTOR_REPRO_LEVEL"] = "high"  # <- AOTI504
import torch

print(torch._inductor.config.aot_inductor.repro_level)
