import torch

seen = []


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(8, 8)

    def forward(self, x):
        return self.fc(x).relu()


model = Net()
compiled = torch.compile(model, backend="aot_eager")
compiled(torch.ones(2, 8))
model.register_forward_hook(lambda module, given, made: seen.append("around"))
compiled(torch.ones(2, 8))
model.fc.register_forward_hook(lambda module, given, made: seen.append("inside"))
torch.compiler.reset()
compiled(torch.ones(2, 8))
print("seen", seen)
