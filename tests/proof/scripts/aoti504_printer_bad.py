"""The debug printer has the modes 0 to 3."""

import torch

program = torch.export.export(torch.nn.ReLU(), (torch.ones(4),))
torch._inductor.aoti_compile_and_package(
    program,
    package_path="net.pt2",
    inductor_configs={"aot_inductor.debug_intermediate_value_printer": "4"},  # <- AOTI504
)
