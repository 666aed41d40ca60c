import tempfile

import torch

program = torch.export.export(torch.nn.Linear(8, 4).eval(), (torch.ones(2, 8),))
with tempfile.TemporaryDirectory() as folder:
    path = torch._inductor.aoti_compile_and_package(program, package_path=f"{folder}/linear.pt2")
    run = torch._inductor.aoti_load_package(path)
print("shape", run(torch.ones(2, 8)).shape)
