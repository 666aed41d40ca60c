import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(8, 4)

    def forward(self, x):
        return self.fc(x).relu()


model, x = Net().eval().to("cuda:0"), torch.randn(4, 8, device="cuda:0")
path = torch._inductor.aoti_compile_and_package(torch.export.export(model, (x,)))
with torch.cuda.device(1):
    run = torch._inductor.aoti_load_package(path)
y = x.to("cuda:1")
print("equal", torch.allclose(run(y).cpu(), model(x).cpu(), atol=1e-4))
