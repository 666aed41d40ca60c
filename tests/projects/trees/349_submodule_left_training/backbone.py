from torch import nn


class Encoder(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.stem = nn.Sequential(nn.Linear(4, width), nn.BatchNorm1d(width))
        self.rest = nn.Sequential(nn.ReLU(), nn.Linear(width, width))

    def forward(self, x):
        return self.rest(self.stem(x))


class Classifier(nn.Module):
    def __init__(self, encoder):
        super().__init__()
        self.encoder = encoder
        self.drop = nn.Dropout(0.5)
        self.head = nn.Linear(8, 2)

    def forward(self, x):
        return self.head(self.drop(self.encoder(x)))
