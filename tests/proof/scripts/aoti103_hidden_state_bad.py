import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = torch.nn.LSTM(8, 16)

    def forward(self, x):
        start = torch.zeros(1, 2, 16), torch.zeros(1, 2, 16)
        return self.lstm(x, start)[0]  # <- AOTI103


torch.export.export(Net().to("meta"), (torch.randn(4, 2, 8, device="meta"),))
