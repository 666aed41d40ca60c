import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("cache", torch.zeros(16))

    def forward(self, x):
        self.cache.add_(x)
        return self.cache + 0


net, x = Net(), torch.ones(16)
run = torch.export.export(net, (x,)).module()
run(x)
net.cache.zero_()
print("it begins anew:", run(x)[0].item())
