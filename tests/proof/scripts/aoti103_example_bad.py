import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(8, 4)

    def forward(self, x):
        return self.fc(x)  # <- AOTI103


torch.export.export(Net().to("meta"), (torch.randn(2, 8),))
