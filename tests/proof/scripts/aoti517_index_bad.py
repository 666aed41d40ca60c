import torch


class Table(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("rows", torch.arange(32.0).view(8, 4))

    def forward(self, x, pos):
        return x + self.rows[pos]  # <- AOTI517


model, x, pos = Table(), torch.ones(4), torch.tensor(1)
torch.compile(model, fullgraph=True, backend="eager")(x, pos)
torch.export.export(model, (x, pos))
torch.compile(model, fullgraph=True)(x, pos)
