import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(8, 4)

    def forward(self, x):
        return self.fc(x).relu()


program = torch.export.export(Net().eval(), (torch.randn(4, 8),))
program.module().cuda()  # <- AOTI106
print("moved", flush=True)
torch._inductor.aoti_compile_and_package(program)
