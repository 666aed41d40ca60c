import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(8, 4)

    def forward(self, x):
        return torch.relu(self.linear(x))


model = Model().eval()
x = torch.randn(2, 8)
program = torch.export.export(model, (x,))
torch.export.save(program, "program.pt2")
path = torch._inductor.aoti_compile_and_package(torch.export.load("program.pt2"), package_path="model.pt2")
run = torch._inductor.aoti_load_package(path)
print("equal", torch.allclose(run(x), model(x), atol=1e-5))
