import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first = torch.nn.Linear(10, 16)
        self.second = torch.nn.Linear(16, 4)

    def forward(self, x):
        return torch.sigmoid(self.second(torch.relu(self.first(x))))


from torch.export.passes import move_to_device_pass

model = Model().eval()
x = torch.randn(2, 10)
expected = model(x)
program = move_to_device_pass(torch.export.export(model, (x,)), "cuda")
path = torch._inductor.aoti_compile_and_package(program, package_path="model.pt2")
run = torch._inductor.aoti_load_package(path)
print("equal", torch.allclose(run(x.to("cuda")).cpu(), expected, atol=1e-4))
