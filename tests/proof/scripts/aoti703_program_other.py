import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.state = torch.zeros(4)

    def forward(self, x):
        self.state.add_(x)
        return self.state * 2


program = torch.export.export(Net(), (torch.ones(4),))
run = program.module()
first, second, third = (run(torch.ones(4))[0].item() for _ in range(3))
print("steps", second - first, third - second)
