import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.factor = 2.0

    def forward(self, x):
        return x * self.factor


model = torch.export.export(Net(), (torch.ones(4),)).module()
model.factor = 3.0  # <- AOTI225
print("factor", model(torch.ones(4))[0].item())
