import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first = torch.nn.Linear(10, 16)
        self.second = torch.nn.Linear(16, 4)

    def forward(self, x):
        return torch.sigmoid(self.second(torch.relu(self.first(x))))


model = Model().eval()
x = torch.randn(2, 10)
library = torch._export.aot_compile(model, (x,))  # <- AOTI201
print("compiled", flush=True)
run = torch._export.aot_load(library, "cuda")  # <- AOTI101 AOTI201
print("loaded", flush=True)
print(run(x.to("cuda")))
