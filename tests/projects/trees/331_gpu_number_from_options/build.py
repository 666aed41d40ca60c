import torch
from torch import nn

from options import parser

args = parser().parse_args()
program = torch.export.export(nn.Softmax(-1), (torch.randn(4, 9),))
torch._inductor.aoti_compile_and_package(program, package_path=args.package)
