from torch import nn


class Picker(nn.Module):
    """Picks the first arrival in a three-component trace."""

    def __init__(self):
        super().__init__()
        self.filters = nn.Conv1d(3, 5, 9, padding=4)
        self.head = nn.Conv1d(5, 1, 1)

    def forward(self, trace):
        return self.head(self.filters(trace).relu()).squeeze(1).softmax(-1)
