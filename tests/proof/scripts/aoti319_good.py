import torch


class Net(torch.nn.Module):
    def forward(self, ids):
        return ids * 2


batch, length = torch.export.Dim("batch"), torch.export.Dim("length")
program = torch.export.export(Net(), (torch.ones(4, 16),), dynamic_shapes={"ids": {0: batch, 1: length}})
print(len(program.range_constraints), "dynamic")
