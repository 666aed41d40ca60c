import torch


class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.l = torch.nn.Linear(4, 3)

    def forward(self, x):
        return torch.relu(self.l(x))


import argparse

parser = argparse.ArgumentParser()
parser.add_argument("--device", default="cpu", choices=["cpu", "cuda", "meta"])
parser.add_argument("--batch", type=int, default=6)
parser.add_argument("--width", type=int, default=4)
parser.add_argument("--package", default="served.pt2")
parser.add_argument("--meta", action="store_true")
args = parser.parse_args()

device = "meta" if args.meta else args.device
model = M().to(device).eval()
x = torch.randn(args.batch, args.width, device=device)
ep = torch.export.export(model, (x,))
torch._inductor.aoti_compile_and_package(ep, package_path=args.package)
run = torch._inductor.aoti_load_package(args.package)
run(torch.ones(args.batch, args.width, device=device))
