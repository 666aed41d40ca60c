import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(8, 4)

    def forward(self, x):
        return self.fc(x)  # <- AOTI711


x = torch.randn(3, 8, dtype=torch.float64)
program = torch.export.export(Net().eval(), (x,))
path = torch._inductor.aoti_compile_and_package(program)
run = torch._inductor.aoti_load_package(path)
print("compiled")
try:
    program.module()(x)
except RuntimeError as error:
    print("module:", error)
run(x)
