import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.chosen = torch.tensor([0, 2, 4])

    def forward(self, x):
        return x.index_select(1, self.chosen)  # <- AOTI103


torch.export.export(Net().to("meta"), (torch.randn(2, 8, device="meta"),))
