import torch._inductor.config as config

config.max_autotunee = True  # <- AOTI510
