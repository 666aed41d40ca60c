import torch


class Table(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("rows", torch.arange(32.0).view(8, 4))

    def forward(self, x, pos):
        return x + self.rows[pos]  # <- AOTI326


model, x, pos = Table(), torch.ones(4), torch.tensor(1)
program = torch.export.export(model, (x, pos)).module()
torch.testing.assert_close(program(x, torch.tensor(5)), model(x, torch.tensor(5)))
torch.export.export(model, (x, pos), strict=True)
