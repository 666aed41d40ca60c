import torch
from torch import nn

from session import open_session

SIZES = (4, 8, 32)


def main():
    model = nn.Sequential(nn.Linear(10, 10), nn.ReLU())
    with open_session(model) as session:
        for size in SIZES:
            out = session.run(torch.randn(size, 10))
            print(size, tuple(out.shape))


if __name__ == "__main__":
    main()
