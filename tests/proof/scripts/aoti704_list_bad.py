"""What a forward appends to a list of its module is not there in the next call of the program."""

import torch


class Window(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.past = []

    def forward(self, x):
        self.past.append(x)  # <- AOTI704
        return torch.stack(self.past).sum(0)


model = Window()
program = torch.export.export(model, (torch.ones(4),)).module()
print("left in the list", len(model.past))
for _ in range(3):
    print("model", model(torch.ones(4))[0].item(), "program", program(torch.ones(4))[0].item())
