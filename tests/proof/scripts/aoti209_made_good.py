import os

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
os.makedirs("no/such/folder", exist_ok=True)
path = torch._inductor.aoti_compile_and_package(program, package_path="no/such/folder/model.pt2")
torch.export.save(program, "no/such/folder/program.pt2")
print("equal", torch.allclose(torch._inductor.aoti_load_package(path)(x), model(x), atol=1e-5))
