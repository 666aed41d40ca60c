import torch


class Net(torch.nn.Module):
    def forward(self, x):
        assert x.sum().item() > 0, "a message makes it a question to Python"  # <- AOTI325
        return x * 2


torch.export.export(Net(), (torch.ones(4),), strict=False)
