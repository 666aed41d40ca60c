import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.threshold = 0.5

    def forward(self, x):
        return x > self.threshold


model = Net()
model.compile(backend="eager")
if isinstance(model, Net):
    model.threshold = 0.9
off = torch.compile(Net(), disable=True)
print("threshold", model.threshold, isinstance(off, Net), isinstance(torch.compile(Net()), torch.nn.Module))
