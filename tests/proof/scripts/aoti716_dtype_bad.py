import torch


class Net(torch.nn.Module):
    def forward(self, x):
        def first(x):
            return x.argmax(-1)

        def second(x):
            return x.sum(-1)

        return torch.cond(x.sum() > 0, first, second, (x,))  # <- AOTI716


program = torch.export.export(Net(), (torch.randn(3, 4),))
print("shape", program.module()(torch.randn(3, 4)).shape)
