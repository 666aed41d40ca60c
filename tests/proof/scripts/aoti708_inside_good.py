import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = torch.nn.Linear(4, 4)
        self.head = torch.nn.Linear(4, 2)

    def forward(self, x):
        return self.head(torch.relu(self.encoder(x)))


model = Net()
model.encoder.compile()
program = torch.export.export(model, (torch.randn(2, 4),))
print("in place", Net().load_state_dict(program.state_dict))
compiled = torch.compile(Net())
program = torch.export.export(compiled._orig_mod, (torch.randn(2, 4),))
print("the module inside", Net().load_state_dict(program.state_dict))
