import os

os.environ["AOTI_RUNTIME_CHECK_INPUTS"] = "1"
import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return x * 2


batch = torch.export.Dim("batch", min=4, max=16)
program = torch.export.export(Net(), (torch.randn(8, 4),), dynamic_shapes={"x": {0: batch}})
path = torch._inductor.aoti_compile_and_package(program, package_path="net.pt2")
run = torch._inductor.aoti_load_package(path)
print(tuple(run(torch.randn(100, 4)).shape))  # <- AOTI333
