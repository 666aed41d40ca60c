import os
import tempfile

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return x.max(1)


program = torch.export.export(Net(), (torch.randn(2, 4),))
torch._inductor.aoti_compile_and_package(  # <- AOTI222
    program, package_path=os.path.join(tempfile.mkdtemp(), "net.pt2")
)
