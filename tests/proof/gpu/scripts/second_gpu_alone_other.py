import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(8, 4)

    def forward(self, x):
        return self.fc(x).relu()


model, x = Net().eval().to("cuda:1"), torch.randn(4, 8, device="cuda:1")
path = torch._inductor.aoti_compile_and_package(torch.export.export(model, (x,)))
run = torch._inductor.aoti_load_package(path)
print("loaded", flush=True)
run(x)
torch.cuda.synchronize()
