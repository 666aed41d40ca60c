import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(8, 8)

    def forward(self, x):
        return self.fc(x)


model, x = Net().eval(), torch.randn(2, 8)
with torch.autocast("cpu", dtype=torch.bfloat16):
    print("model", model(x).dtype)
    program = torch.export.export(model, (x,))  # <- AOTI702
print("program", program.module()(x).dtype)
