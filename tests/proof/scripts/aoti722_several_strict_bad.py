import torch


class Recurrent(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = torch.nn.LSTM(4, 4)
        self.head = torch.nn.Linear(4, 2)

    def forward(self, x):
        return self.head(self.rnn(x))  # <- AOTI722


program = torch.export.export(Recurrent(), (torch.randn(3, 2, 4),), strict=True)
print(len(program.graph.nodes) > 1, "exported")
