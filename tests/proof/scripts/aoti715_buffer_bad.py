import os
import tempfile

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("cache", torch.zeros(16))

    def forward(self, x):
        self.cache.add_(x)
        return self.cache + 0


net, x = Net(), torch.ones(16)
program = torch.export.export(net, (x,))
target = os.path.join(tempfile.mkdtemp(), "net.pt2")
run = torch._inductor.aoti_load_package(torch._inductor.aoti_compile_and_package(program, package_path=target))
run(x)
net.cache.zero_()  # <- AOTI715
print("it goes on:", run(x)[0].item())
