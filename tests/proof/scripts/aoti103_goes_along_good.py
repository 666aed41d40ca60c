import torch


class Net(torch.nn.Module):
    def forward(self, x):
        x = torch.where(x > 0, x, torch.tensor(1.0)) * torch.tensor(2.0)
        x = torch.lerp(x, x, torch.tensor(0.5))
        return x[torch.tensor([0, 1])]


program = torch.export.export(Net(), (torch.randn(2, 8, device="meta"),))
print("program", type(program).__name__)
