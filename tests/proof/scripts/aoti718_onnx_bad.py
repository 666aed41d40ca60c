import torch


def shifted(x):
    return x + torch.tensor(1.0)


class Net(torch.nn.Module):
    def forward(self, x):
        return torch.cond(x.sum() > 0, shifted, lambda x: x.clone(), (x,))


torch.onnx.export(Net(), (torch.randn(3),), "net.onnx", dynamo=True)  # <- AOTI718
