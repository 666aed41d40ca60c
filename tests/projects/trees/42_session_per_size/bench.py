import torch
from torch import nn

from session import open_session

SIZES = (4, 8)


def main():
    model = nn.Sequential(nn.Linear(10, 10), nn.ReLU())
    for size in SIZES:
        with open_session(model, batch=size) as session:
            out = session.run(torch.randn(size, 10))
            print(size, tuple(out.shape) == (session.batch, session.features))


if __name__ == "__main__":
    main()
