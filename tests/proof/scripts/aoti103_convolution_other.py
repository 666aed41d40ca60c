import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = torch.nn.Conv1d(4, 4, 1)
        self.table = torch.nn.Embedding(4, 4)

    def forward(self, x, rows):
        return self.conv(x), torch.nn.functional.conv1d(x, torch.ones(4, 4, 1, device="cuda")), self.table(rows)


rows = torch.zeros(2, dtype=torch.long)
program = torch.export.export(Net().to("meta"), (torch.randn(1, 4, 8), rows))
print("program", type(program).__name__)
