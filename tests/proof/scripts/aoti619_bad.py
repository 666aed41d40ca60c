import os
import tempfile

import torch


def build(model, args):
    program = torch.export.export(model.eval(), args)
    with tempfile.TemporaryDirectory() as folder:
        return torch._inductor.aoti_compile_and_package(program, package_path=os.path.join(folder, "linear.pt2"))


run = torch._inductor.aoti_load_package(build(torch.nn.Linear(8, 4), (torch.ones(2, 8),)))  # <- AOTI619
