import torch

from build import LIBRARY
from runners import HostRunner


def main(steps=3):
    step = HostRunner(LIBRARY)
    rods = torch.eye(7, 12)
    for _ in range(steps):
        rods = step(rods)
    print(round(rods.sum().item(), 3))


if __name__ == "__main__":
    main()
