import torch
import torch.nn.functional as F

from buckets import SIZES, bucket_for


class Bucketed:
    def __init__(self, prefix):
        self.models = {size: torch._inductor.aoti_load_package(f"{prefix}_{size}.pt2") for size in SIZES}

    def __call__(self, tokens):
        count = tokens.shape[0]
        size = bucket_for(count)
        padded = F.pad(tokens, (0, 0, 0, size - count))
        return self.models[size](padded)[:count]


if __name__ == "__main__":
    router = Bucketed("router")
    for count in (1, 3, 10, 16):
        print(count, router(torch.randn(count, 9)).shape)
