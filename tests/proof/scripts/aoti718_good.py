import torch

ONE = torch.ones(2)


class Net(torch.nn.Module):
    def __init__(self, shifted):
        super().__init__()
        self.shifted = shifted

    def forward(self, x):
        outside = torch.tensor(1.0)
        y = torch.cond(x.sum() > 0, self.shifted, lambda x: x.clone(), (x,))
        return y + outside


for shifted in (lambda x: x + torch.full((), 1.0), lambda x: x + torch.ones(2), lambda x: x + ONE, lambda x: x + 1.0):
    program = torch.export.export(Net(shifted), (torch.randn(3, 2),)).run_decompositions()
    print("decomposed")
