import torch


class Net(torch.nn.Module):
    def forward(self, first, second):
        return first + second


inputs = {"first": torch.randn(4), "last": torch.randn(4)}
torch.export.export(Net(), (), inputs)  # <- AOTI328
