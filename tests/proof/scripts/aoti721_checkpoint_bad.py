import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first = torch.nn.Linear(4, 4)
        self.layers = [torch.nn.Linear(4, 4)]

    def forward(self, x):
        x = self.first(x)
        for layer in self.layers:
            x = layer(x)  # <- AOTI721
        return x


trained = Net()
torch.save(trained.state_dict(), "net.pt")
model = Net()
model.load_state_dict(torch.load("net.pt"))
x = torch.ones(2, 4)
program = torch.export.export(model, (x,))
print("same", torch.equal(program.module()(x), trained(x)))
