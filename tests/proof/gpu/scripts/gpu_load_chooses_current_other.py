import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first = torch.nn.Linear(10, 16)
        self.second = torch.nn.Linear(16, 4)

    def forward(self, x):
        return torch.sigmoid(self.second(torch.relu(self.first(x))))


program = torch.export.export(Model().eval().cuda(), (torch.randn(2, 10, device="cuda"),))
path = torch._inductor.aoti_compile_and_package(program)
torch._inductor.aoti_load_package(path, device_index=1)
print("current", torch.cuda.current_device())
