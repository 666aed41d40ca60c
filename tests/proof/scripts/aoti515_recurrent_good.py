import torch

torch._dynamo.config.allow_rnn = True


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = torch.nn.LSTM(8, 8)

    def forward(self, x):
        return self.rnn(x)[0]


torch.compile(Net(), fullgraph=True, backend="eager")(torch.randn(2, 4, 8))
