import torch._inductor.config as config

config.max_autotune = True
if hasattr(config, "max_autotunee"):
    config.max_autotunee = True
try:
    config.max_autotunee = True
except AttributeError as error:
    print("handled", error)
