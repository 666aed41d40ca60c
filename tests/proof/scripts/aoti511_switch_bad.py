import torch._inductor.config as config

config.max_autotune = "no"  # <- AOTI511
print("on", bool(config.max_autotune))
