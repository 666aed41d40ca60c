import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return x * 2


program = torch.export.export(Net(), (torch.randn(4, 4),))
print(program.module()([torch.ones(4, 4)]).sum().item())  # <- AOTI335
