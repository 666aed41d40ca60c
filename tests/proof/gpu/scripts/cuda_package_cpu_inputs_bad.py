import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first = torch.nn.Linear(10, 16)
        self.second = torch.nn.Linear(16, 4)

    def forward(self, x):
        return torch.sigmoid(self.second(torch.relu(self.first(x))))


program = torch.export.export(Model().eval().to("cuda"), (torch.randn(2, 10, device="cuda"),))
path = torch._inductor.aoti_compile_and_package(program, package_path="model.pt2")
run = torch._inductor.aoti_load_package(path)
print("loaded", flush=True)
print(run(torch.randn(2, 10)))  # <- AOTI102
