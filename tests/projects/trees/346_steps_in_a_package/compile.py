import torch

from tracker import Tracker

program = torch.export.export(Tracker().eval(), (torch.randn(4, 8),), dynamic_shapes=({0: torch.export.Dim("n", min=2)},))
torch._inductor.aoti_compile_and_package(program, package_path="tracker.pt2")
