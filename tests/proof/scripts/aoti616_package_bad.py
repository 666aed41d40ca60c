import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(8, 4)

    def forward(self, x):
        return torch.relu(self.linear(x))


model = Model().eval()
x = torch.randn(2, 8)
program = torch.export.export(model, (x,))
torch._inductor.aoti_compile_and_package(program, package_path="./model.pt2")
run = torch._export.aot_load("./model.pt2", "cpu")  # <- AOTI201 AOTI616
