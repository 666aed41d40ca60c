import torch


class Scale(torch.nn.Module):
    def forward(self, x, k):
        return x * k


program = torch.export.export(Scale(), (torch.ones(3), 2.0))
print(program.module()(torch.ones(3), 5.0).tolist())  # <- AOTI330
