import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.a = torch.nn.Linear(8, 8).to("cuda:0")
        self.b = torch.nn.Linear(8, 4).to("cuda:1")

    def forward(self, x):
        return self.b(self.a(x).to("cuda:1"))


x = torch.randn(2, 8, device="cuda:0")
program = torch.export.export(Net().eval(), (x,))
print("exported", flush=True)
torch._inductor.aoti_compile_and_package(program)
