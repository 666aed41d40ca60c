import torch


class Count(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("seen", torch.zeros(4))

    def forward(self, x):
        self.seen.add_(1)  # <- AOTI709
        return x + self.seen


@torch.inference_mode()
def load():
    return Count().eval()


torch.export.export(load(), (torch.ones(2, 4),))
