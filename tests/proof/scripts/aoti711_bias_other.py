"""Without a bias, a convolution of another dtype is exported, compiled and run."""

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = torch.nn.Conv2d(8, 4, 1, bias=False)

    def forward(self, x):
        return self.conv(x)


x = torch.ones(2, 8, 5, 5, dtype=torch.float64)
program = torch.export.export(Net().eval(), (x,))
run = torch._inductor.aoti_load_package(torch._inductor.aoti_compile_and_package(program))
print(run(x).dtype)
