import torch


class Inner(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(4, 4)
        self.register_full_backward_pre_hook(lambda module, gradients: None)

    def forward(self, x):
        return self.fc(x)


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Inner()

    def forward(self, x):
        return self.inner(x).relu()  # <- AOTI515


torch.compile(Net(), fullgraph=True, backend="eager")(torch.randn(2, 4))
