import torch


class Net(torch.nn.Module):
    def forward(self, a, b):
        both = torch.nested.nested_tensor([a, b])  # <- AOTI719
        return torch.nested.to_padded_tensor(both, 0.0)


torch.onnx.export(Net(), (torch.randn(2, 4), torch.randn(3, 4)), "net.onnx", dynamo=True)
