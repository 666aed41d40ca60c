"""Entered, it sets it for a while."""

import torch

with torch._inductor.config.patch(max_autotune=True):
    print("max_autotune", torch._inductor.config.max_autotune)
