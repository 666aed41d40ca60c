import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(8, 4)

    def forward(self, x):
        return torch.relu(self.linear(x))


program = torch.export.export(Model().eval(), (torch.randn(2, 8),))
path = torch._inductor.aoti_compile_and_package(program, package_path="model.pt2")
run = torch._inductor.aoti_load_package(path, device_index=-1)
print("shape", tuple(run(torch.randn(2, 8)).shape))
