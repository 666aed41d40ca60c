import torch

library = torch.library.Library("mylib", "FRAGMENT")
library.define("thrice(Tensor x) -> Tensor")
library.impl("thrice", lambda x: x * 3, "CPU")


@torch.library.register_fake("mylib::thrice")
def _(x):
    return torch.empty_like(x)


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(8, 8)

    def forward(self, x):
        return torch.ops.mylib.thrice(self.fc(x))


x = torch.randn(2, 8)
module = torch.export.export(Net(), (x,)).module()
module(x).sum().backward()
print("of the library:", list(next(module.parameters()).grad.shape))
