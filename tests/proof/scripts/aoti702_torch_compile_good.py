import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(8, 8)

    def forward(self, x):
        return self.fc(x)


model, x = Net().eval(), torch.randn(2, 8)
compiled = torch.compile(model)
with torch.autocast("cpu", dtype=torch.bfloat16):
    print("inside", compiled(x).dtype)
print("outside", compiled(x).dtype)
