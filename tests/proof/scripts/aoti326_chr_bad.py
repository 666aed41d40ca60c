import torch


class Net(torch.nn.Module):
    def forward(self, x, codes):
        text = "".join(chr(code) for code in codes.tolist())  # <- AOTI326
        return x * len(text)


program = torch.export.export(Net(), (torch.ones(3), torch.tensor([72, 105])))
print(len(program.graph.nodes) > 1, "exported")
