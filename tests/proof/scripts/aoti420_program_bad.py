import subprocess
import sys

import torch

if len(sys.argv) > 1:
    program = torch.export.load("twice.pt2")  # <- AOTI420
    print("shape", tuple(program.module()(torch.ones(4)).shape))
    sys.exit()


@torch.library.custom_op("proof::twice", mutates_args=())
def twice(x: torch.Tensor) -> torch.Tensor:
    return x * 2


@twice.register_fake
def _(x):
    return torch.empty_like(x)


class Net(torch.nn.Module):
    def forward(self, x):
        return torch.ops.proof.twice(x)


torch.export.save(torch.export.export(Net(), (torch.ones(4),)), "twice.pt2")
sys.exit(subprocess.run([sys.executable, __file__, "load"]).returncode)
