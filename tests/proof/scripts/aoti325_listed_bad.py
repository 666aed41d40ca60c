import torch


class Net(torch.nn.Module):
    def forward(self, x, ids):
        for number in ids.tolist():
            if number > 2:  # <- AOTI325
                x = x + 1
        return x


program = torch.export.export(Net(), (torch.ones(3), torch.tensor([0, 1, 3])))
print(len(program.graph.nodes) > 1, "exported")
