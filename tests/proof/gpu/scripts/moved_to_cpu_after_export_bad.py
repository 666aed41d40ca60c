import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first = torch.nn.Linear(10, 16)
        self.second = torch.nn.Linear(16, 4)

    def forward(self, x):
        return torch.sigmoid(self.second(torch.relu(self.first(x))))


model = Model().eval().cuda()
program = torch.export.export(model, (torch.randn(2, 10, device="cuda"),))
model.cpu()  # <- AOTI106
print("exported", flush=True)
torch._inductor.aoti_compile_and_package(program)
