import torch


class Net(torch.nn.Module):
    def forward(self, x):
        if x.shape[0] % 2 == 0:
            return x + 1
        return x - 1


rows = {0: torch.export.Dim.AUTO}
program = torch.export.export(Net(), (torch.randn(4, 8),), dynamic_shapes=(rows,))
run = torch._inductor.aoti_load_package(torch._inductor.aoti_compile_and_package(program))
x = torch.randn(5, 8)
print("equal", torch.allclose(run(x), Net()(x)))  # <- AOTI338
