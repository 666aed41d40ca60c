import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(8, 4)

    def forward(self, x):
        return torch.relu(self.linear(x))


program = torch.export.export(Model().eval(), (torch.randn(2, 8),))
module = program.module()
print("shared", module.linear.weight is program.state_dict["linear.weight"])
