import torch
from torch import nn


class Stem(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 4, 3, stride=2)
        self.fc = nn.Linear(4, 5)

    def forward(self, image):
        return self.fc(self.conv(image).relu().mean((2, 3)))


if __name__ == "__main__":
    stem = Stem().eval()
    image = torch.zeros(2, 3, 20, 20)
    torch.export.save(torch.export.export(stem, (image,)), "stem.ep.pt2")
