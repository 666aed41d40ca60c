import torch


class Boxes:
    def __init__(self, corners, scores):
        self.corners, self.scores = corners, scores


class Net(torch.nn.Module):
    def forward(self, x):
        return x, Boxes(x[:, :4], x[:, 4])


torch.export.export(Net(), (torch.randn(8, 5),), strict=True)  # <- AOTI712
