import torch


class Model(torch.nn.Module):
    def forward(self, x):
        return torch.relu(x)


program = torch.export.export(Model(), (torch.randn(2, 8),))
print("device", program.module()(torch.randn(2, 8, device="meta")).device)
