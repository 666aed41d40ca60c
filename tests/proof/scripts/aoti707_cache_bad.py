import torch


class Cache(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("seen", torch.zeros(3, 4))
        self.pos = 0

    def forward(self, x):
        self.seen[self.pos] = x  # <- AOTI707
        self.pos += 1
        return self.seen.sum(0)


program = torch.export.export(Cache().eval(), (torch.ones(4),)).module()
model = Cache().eval()
print("program", [program(torch.ones(4))[0].item() for _ in range(3)])
print("model", [model(torch.ones(4))[0].item() for _ in range(3)])
