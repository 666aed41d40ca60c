import torch


class Smooth(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("state", torch.zeros(4))

    def forward(self, x):
        self.state.copy_(self.state * 0.5 + x)
        return self.state + 1


program = torch.export.export(Smooth().eval(), (torch.ones(4),))
run = torch._inductor.aoti_load_package(torch._inductor.aoti_compile_and_package(program, package_path="net.pt2"))
model = Smooth().eval()
print("package", [run(torch.ones(4))[0].item() for _ in range(3)])
print("model", [model(torch.ones(4))[0].item() for _ in range(3)])
