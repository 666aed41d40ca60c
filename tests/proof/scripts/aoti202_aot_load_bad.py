import torch

run = torch._inductor.aot_load("model.so", "cpu")  # <- AOTI202
