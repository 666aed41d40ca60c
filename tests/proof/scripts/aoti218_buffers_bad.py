import os
import tempfile

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = torch.nn.BatchNorm1d(16)

    def forward(self, x):
        return self.norm(x)


model, other, x = Net().eval(), Net().eval(), torch.randn(8, 16)
other.norm.running_mean.fill_(3.0)
program = torch.export.export(model, (x,))
path = os.path.join(tempfile.mkdtemp(), "net.pt2")
run = torch._inductor.aoti_load_package(torch._inductor.aoti_compile_and_package(program, package_path=path))
run.load_constants(dict(other.named_parameters()), check_full_update=True)  # <- AOTI218
print("the same:", torch.allclose(run(x), other(x), atol=1e-5))
