import torch


class Scaled(torch.nn.Module):
    def forward(self, x, factor):
        return x * factor + 1


model = Scaled()
x = torch.randn(2, 10, device="cuda")
program = torch.export.export(model, (x, torch.tensor(2.0)))
path = torch._inductor.aoti_compile_and_package(program, package_path="model.pt2")
run = torch._inductor.aoti_load_package(path)
factor = torch.tensor(3.0)
print("equal", torch.allclose(run(x, factor), model(x, factor), atol=1e-4))
