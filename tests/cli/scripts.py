"""Scripts for the tests of the command line, with findings that do not depend on how clever the analysis is."""

CUDA_PACKAGE = """\
import torch

program = torch.export.export(torch.nn.ReLU().cuda(), (torch.ones(2, 3, device="cuda"),))
torch._inductor.aoti_compile_and_package(program, package_path="relu.pt2")
"""

CPU_CALL = """\
import torch

model = torch._inductor.aoti_load_package("relu.pt2")
print(model(torch.ones(2, 3)))
"""

DEPRECATED = """\
import torch

path = torch._export.aot_compile(torch.nn.ReLU(), (torch.ones(2),))
"""

CLEAN = """\
import torch

program = torch.export.export(torch.nn.ReLU(), (torch.ones(2),))
"""

IRRELEVANT = "print('hello')\n"

BROKEN = "import torch\ntorch.export.export(\n"
