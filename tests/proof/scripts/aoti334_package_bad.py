import torch


class Net(torch.nn.Module):
    def forward(self, x, y):
        return x.sum() + y * 2


batch = torch.export.Dim("batch", min=2, max=64)
program = torch.export.export(
    Net(), (torch.randn(4, 3), torch.randn(4, 3)), dynamic_shapes={"x": {0: batch}, "y": {0: batch}}
)
path = torch._inductor.aoti_compile_and_package(program, package_path="net.pt2")
run = torch._inductor.aoti_load_package(path)
print(tuple(run(torch.ones(8, 3), torch.ones(2, 3)).shape))  # <- AOTI334
