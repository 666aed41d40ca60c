from typing import Optional

import torch


@torch.library.custom_op("proof::scale428", mutates_args=())
def scale(x: torch.Tensor, factor: Optional[int] = None) -> torch.Tensor:
    return x * (2 if factor is None else factor)


@scale.register_fake
def _(x, factor=None):
    return torch.empty_like(x)


class Net(torch.nn.Module):
    def forward(self, x):
        return scale(x)


program = torch.export.export(Net(), (torch.ones(3),))
package = torch._inductor.aoti_compile_and_package(program, package_path="net428_good.pt2")
print("result", torch._inductor.aoti_load_package(package)(torch.ones(3)).tolist())
