import torch


class Mover(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(10, 4)

    def forward(self, x):
        return torch.relu(self.linear(x.to("cuda")))


model = Mover().eval().to("cuda")
x = torch.randn(2, 10)
program = torch.export.export(model, (x,))
path = torch._inductor.aoti_compile_and_package(program, package_path="model.pt2")
run = torch._inductor.aoti_load_package(path)
y = torch.randn(2, 10)
print("equal", torch.allclose(run(y), model(y), atol=1e-4))
