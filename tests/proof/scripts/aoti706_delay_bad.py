import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("state", torch.zeros(4))

    def forward(self, x):
        old = self.state.clone()  # <- AOTI706
        self.state.copy_(x)
        return old


program = torch.export.export(Net().eval(), (torch.ones(4),))
path = torch._inductor.aoti_compile_and_package(program, package_path="net.pt2")
run = torch._inductor.aoti_load_package(path)
model = Net().eval()
inputs = [torch.full((4,), float(n)) for n in (1, 2, 3)]
print("package", [run(x)[0].item() for x in inputs])
print("model", [model(x)[0].item() for x in inputs])
