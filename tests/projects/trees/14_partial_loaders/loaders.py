"""Two ways to open a library, so that nobody types a device by hand."""
import functools
import os

import torch

LIB_DIR = os.environ.get("SONAR_LIBS", os.getcwd())

load_on_host = functools.partial(torch._export.aot_load, device="cpu")
load_on_gpu = functools.partial(torch._export.aot_load, device="cuda")


@functools.lru_cache(maxsize=None)
def library(name):
    return os.path.join(LIB_DIR, f"lib{name}.so")
