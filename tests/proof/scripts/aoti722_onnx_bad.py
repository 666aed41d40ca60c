import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return x[:, x.shape[1]]  # <- AOTI722


torch.onnx.export(Net(), (torch.randn(2, 4),), "net.onnx", dynamo=True)
