import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(8, 8)

    def forward(self, x):
        return self.fc(x)


model, x = Net().eval(), torch.randn(2, 8)
program = torch.export.export(model, (x,))
with torch.autocast("cpu", enabled=False):
    path = torch._inductor.aoti_compile_and_package(program, package_path="model.pt2")
run = torch._inductor.aoti_load_package(path)
print("program", program.module()(x).dtype, "package", run(x).dtype)
