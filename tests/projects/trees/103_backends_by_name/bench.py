import torch
from backends import BACKENDS

net = torch.nn.Linear(4, 4)
example = (torch.randn(8, 4),)
for name, cls in BACKENDS.items():
    backend = cls(net, example)
    print(name, backend(*example).shape)
print(BACKENDS["packaged"](net, example)(torch.randn(3, 4)).shape)
print(BACKENDS["eager"](net, example)(torch.randn(3, 4)).shape)
wrong = BACKENDS["exported"](net, example)
print(wrong(torch.randn(3, 4)).shape)
