"""What is checked on the CPU are the inputs: an infinity that is meant to be there stops the call, too."""

import torch


class Masked(torch.nn.Module):
    def forward(self, x, mask):
        return torch.softmax(x + mask, -1)


mask = torch.zeros(2, 4)
mask[:, 2:] = float("-inf")
program = torch.export.export(Masked(), (torch.ones(2, 4), mask))
path = torch._inductor.aoti_compile_and_package(
    program,
    package_path="net.pt2",
    inductor_configs={"nan_asserts": True},  # <- AOTI506
)
torch._inductor.aoti_load_package(path)(torch.ones(2, 4), mask)
