import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = torch.nn.Linear(8, 2)

    def encode(self, x):
        return self.encoder(x)

    def forward(self, x):
        return self.encode(x).relu()


model = torch.export.export(Net(), (torch.randn(4, 8),)).module()
print(hasattr(model, "encode"), tuple(model.encoder.weight.shape), len(list(model.parameters())))
