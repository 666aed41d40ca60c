import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.threshold = 0.5

    def forward(self, x):
        return x > self.threshold


model = torch.compile(Net(), backend="eager")
if isinstance(model, Net):  # <- AOTI526
    model.threshold = 0.9
print("threshold", model.threshold)
