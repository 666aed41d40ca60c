import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return x.view(x.size(1), -1).softmax(0)  # <- AOTI323


spec = {"x": {0: torch.export.Dim("batch")}}
torch.export.export(Net(), (torch.randn(33, 4, 8),), dynamic_shapes=spec)
