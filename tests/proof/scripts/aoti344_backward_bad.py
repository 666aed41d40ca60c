import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(4, 1)

    def forward(self, x):
        y = self.fc(x).sum()
        y.backward()  # <- AOTI344
        return y


torch.export.export(Net(), (torch.randn(4),), strict=True)
