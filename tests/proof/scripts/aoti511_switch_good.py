import torch
import torch._inductor.config as config

config.max_autotune = "no" == "yes"
config.shape_padding = 0
torch.compile(torch.sin, options={"triton.max_tiles": True, "max_autotune": False, "aot_inductor.output_path": ""})
print("on", bool(config.max_autotune))
