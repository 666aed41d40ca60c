import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first = torch.nn.Linear(10, 16)
        self.second = torch.nn.Linear(16, 4)

    def forward(self, x):
        return torch.sigmoid(self.second(torch.relu(self.first(x))))


model = Model().eval().to("cuda")
x = torch.randn(2, 10, device="cuda")
library = torch._export.aot_compile(model, (x,))  # <- AOTI201
run = torch._export.aot_load(library, "cuda")  # <- AOTI201
print("equal", torch.allclose(run(x), model(x), atol=1e-4))
