import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(4, 4)

    def forward(self, x):
        return torch.relu(self.fc(x))


x = torch.ones(2, 4)
with torch.inference_mode():
    features = torch.ones(2, 4)
try:
    torch.export.export(Net(), (features,))  # caught, so that the next line is reached
except RuntimeError as error:
    print("input:", error)
with torch.inference_mode():
    model = Net()
torch.export.export(model, (x,))  # <- AOTI709
