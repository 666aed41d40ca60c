import torch


class Scale(torch.nn.Module):
    def forward(self, x, k):
        return x * k


more = torch.export.AdditionalInputs()
more.add((torch.ones(3), 2))
program = torch.export.export(Scale(), (torch.ones(3), 2), dynamic_shapes=more)
print(program.module()(torch.ones(3), 11).tolist())  # <- AOTI330
