import torch


class Shift(torch.nn.Module):
    def forward(self, x, by=None):
        return x if by is None else x + by


program = torch.export.export(Shift(), (torch.ones(3), None))
print((program.module()(torch.ones(3), torch.ones(3)) + 0).tolist())  # <- AOTI330
