import torch
from torch import nn

from exporter import Exporter


class Autoencoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = nn.Linear(14, 3)
        self.dec = nn.Linear(3, 14)

    def forward(self, sensors):
        return (self.dec(self.enc(sensors).relu()) - sensors).square().mean(-1)


def main():
    Exporter(Autoencoder()).example(torch.randn(10, 14)).package("anomaly.pt2")


if __name__ == "__main__":
    main()
