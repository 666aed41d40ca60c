import copy

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(4, 4)

    def forward(self, x):
        return torch.relu(self.fc(x))


@torch.inference_mode()
def load():
    return Net().eval()


x = torch.ones(2, 4)
with torch.inference_mode():
    program = torch.export.export(load(), (x,))
    features = Net()(x)
print("inside", program.module()(x).shape)
print("a copy", torch.export.export(copy.deepcopy(load()), (x,)).module()(x).shape)
print("strict", torch.export.export(load(), (x,), strict=True).module()(x).shape)
with torch.no_grad():
    print("an input", torch.export.export(Net(), (features,)).module()(x).shape)
