import io

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = torch.nn.Linear(8, 2)

    def encode(self, x):
        return self.encoder(x)

    def forward(self, x):
        return self.encode(x).relu()


file = io.BytesIO()
torch.export.save(torch.export.export(Net(), (torch.randn(4, 8),)), file)
file.seek(0)
model = torch.export.load(file).module()
print(tuple(model(torch.randn(4, 8)).shape))
model.encode(torch.randn(4, 8))  # <- AOTI225
