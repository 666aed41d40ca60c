import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.table = torch.nn.Embedding(16, 4)

    def forward(self, ids):
        return self.table(ids)


program = torch.export.export(Net().eval(), (torch.zeros(3, 5, dtype=torch.int32),))
print(program.module()(torch.ones(3, 5, dtype=torch.int32)).shape)
