import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("step", torch.zeros(1))

    def forward(self, x):
        self.step.add_(1)
        return torch.ones_like(x) * self.step


program = torch.export.export(Net().eval(), (torch.ones(4),))
options = {"joint_graph_constant_folding": False}
path = torch._inductor.aoti_compile_and_package(program, package_path="net.pt2", inductor_configs=options)
run = torch._inductor.aoti_load_package(path)
model = Net().eval()
inputs = [torch.full((4,), float(n)) for n in (1, 2, 3)]
print("package", [run(x)[0].item() for x in inputs])
print("model", [model(x)[0].item() for x in inputs])
