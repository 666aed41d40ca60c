import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("seen", torch.zeros(3))

    def forward(self, x):
        self.seen.data.copy_(x)  # <- AOTI346
        return x + 1


torch.export.export(Net(), (torch.randn(3),))
