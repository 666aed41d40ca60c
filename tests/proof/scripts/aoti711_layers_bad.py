import torch

half = torch.float16
LAYERS = {
    "Bilinear": (lambda net, x: net.bilinear(x, x), (3, 8)),
    "Conv2d": (lambda net, x: net.conv(x), (2, 8, 5, 5)),
    "LSTM": (lambda net, x: net.lstm(x)[0], (3, 2, 8)),
    "GRU": (lambda net, x: net.gru(x)[0], (3, 2, 8)),
    "RNN": (lambda net, x: net.rnn(x)[0], (3, 2, 8)),
    "PReLU": (lambda net, x: net.prelu(x), (3, 8)),
    "bmm": (lambda net, x: x @ torch.ones(2, 8, 4), (2, 3, 8)),
}


class Net(torch.nn.Module):
    def __init__(self, forward):
        super().__init__()
        self.bilinear, self.conv = torch.nn.Bilinear(8, 8, 4), torch.nn.Conv2d(8, 4, 1)
        self.lstm, self.gru, self.rnn = torch.nn.LSTM(8, 4), torch.nn.GRU(8, 4), torch.nn.RNN(8, 4)
        self.prelu = torch.nn.PReLU()
        self.run = forward

    def forward(self, x):
        return self.run(self, x)


for name, (forward, shape) in LAYERS.items():
    for strict in (False, True):
        try:
            torch.export.export(Net(forward).eval(), (torch.ones(shape, dtype=half),), strict=strict)
            print(name, "exported")
        except Exception as error:
            print(name, "raises")


class Conv(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = torch.nn.Conv2d(8, 4, 1)

    def forward(self, x):
        return self.conv(x)  # <- AOTI711


torch.export.export(Conv().eval(), (torch.ones(2, 8, 5, 5, dtype=half),))
