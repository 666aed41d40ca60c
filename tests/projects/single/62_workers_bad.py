from concurrent.futures import ThreadPoolExecutor

import torch
from torch import nn
from torch.export import Dim, export

SIZES = (2, 5, 11)


def main():
    side = Dim("side", min=4, max=32)
    program = export(nn.Conv2d(1, 2, 3).eval(), (torch.rand(4, 1, 9, 9),), dynamic_shapes=({2: side},))
    module = program.module()

    def work(size):
        crops = torch.rand(size, 1, 9, 9)
        return module(crops)

    with ThreadPoolExecutor(max_workers=2) as pool:
        for size, result in zip(SIZES, pool.map(work, SIZES)):
            print(size, tuple(result.shape))


if __name__ == "__main__":
    main()
