import torch

class Net(torch.nn.Module):
    def forward(self, pair, *more):
        return pair[0] + pair[1] + more[0]

rows = torch.export.Dim("rows")
inputs = ([torch.randn(4, 8), torch.randn(4, 8)], torch.randn(8))
torch.export.export(Net(), inputs, dynamic_shapes=([{0: rows}, {0: rows}], (None,)))
