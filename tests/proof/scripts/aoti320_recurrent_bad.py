"""A recurrent layer is unrolled: the program has as many steps as the example."""

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = torch.nn.LSTM(8, 16, batch_first=True)

    def forward(self, x):
        return self.lstm(x)[0]  # <- AOTI320


steps = torch.export.Dim("steps")
torch.export.export(Net().eval(), (torch.randn(3, 6, 8),), dynamic_shapes={"x": {1: steps}})
