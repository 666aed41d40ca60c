import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("scale", torch.ones(8))
        self.fc = torch.nn.Linear(8, 4)

    def forward(self, x):
        return self.fc(x * self.scale + torch.ones(8, device=x.device))


program = torch.export.export(Net().to("meta"), (torch.randn(2, 8, device="meta"),))
print("program", type(program).__name__)
