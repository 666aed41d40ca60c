import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.table = torch.nn.Embedding(16, 4)

    def forward(self, ids):
        return self.table(ids)  # <- AOTI711


torch.export.export(Net().eval(), (torch.zeros(3, 5),))
