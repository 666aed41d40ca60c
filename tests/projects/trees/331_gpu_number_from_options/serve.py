import argparse

import torch

from options import parser

args = argparse.ArgumentParser(parents=[parser()]).parse_args()
print(torch._inductor.aoti_load_package(args.package)(torch.randn(4, 9)).shape)
model = torch._inductor.aoti_load_package(args.package, device_index=args.gpu)
print(model(torch.randn(4, 9)).shape)
