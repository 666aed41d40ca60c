import torch


class Net(torch.nn.Module):
    def forward(self, x):
        torch._dynamo.mark_dynamic(x, 0)  # <- AOTI521
        return x.relu()


torch.compile(Net(), backend="eager")(torch.randn(5, 2))
