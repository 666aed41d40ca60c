import torch


class Net(torch.nn.Module):
    def forward(self, x):
        if x.shape[0] > 5:
            return x.cos()
        if x.shape[0] < 5:  # <- AOTI324
            return x * 2
        return x.sin()


torch.export.export(Net(), (torch.randn(5, 3),), dynamic_shapes={"x": {0: torch.export.Dim.DYNAMIC}})
