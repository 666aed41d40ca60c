from concurrent.futures import ThreadPoolExecutor

import torch
from torch import nn
from torch.export import Dim, export

SIZES = (2, 5, 11)


def main():
    crops = Dim("crops", min=1, max=32)
    program = export(nn.Conv2d(1, 2, 3).eval(), (torch.rand(4, 1, 9, 9),), dynamic_shapes=({0: crops},))
    module = program.module()
    with ThreadPoolExecutor(max_workers=2) as pool:
        for size, result in zip(SIZES, pool.map(module, [torch.rand(size, 1, 9, 9) for size in SIZES])):
            print(size, tuple(result.shape))


if __name__ == "__main__":
    main()
