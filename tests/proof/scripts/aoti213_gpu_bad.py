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
so = torch._inductor.aot_compile(program.module(), (x,))  # <- AOTI201
run = torch._export.aot_load(so, "gpu")  # <- AOTI201 AOTI213
