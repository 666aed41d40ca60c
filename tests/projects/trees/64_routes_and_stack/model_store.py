from functools import lru_cache
from pathlib import Path

import torch

HERE = Path(__file__).parent
PACKAGE = HERE / "leaf.pt2"


@lru_cache(maxsize=None)
def leaf_model():
    return torch._inductor.aoti_load_package(str(PACKAGE))
