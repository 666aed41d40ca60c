from torch._inductor import config

with config.patch({"trace_enabled": True}):  # <- AOTI510
    print("inside")
