import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = torch.nn.Linear(4, 4)
        self.head = torch.nn.Linear(4, 2)

    def forward(self, x):
        return self.head(torch.relu(self.encoder(x)))


model = Net()
model.encoder = torch.compile(model.encoder)
program = torch.export.export(model, (torch.randn(2, 4),))
missing = Net().load_state_dict(program.state_dict, strict=False).missing_keys  # <- AOTI708
print("not loaded", sorted(missing))
Net().load_state_dict(program.state_dict)  # <- AOTI708
