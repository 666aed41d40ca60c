import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(8, 4)

    def forward(self, x):
        return self.fc(x).relu()


device = "cuda" if torch.cuda.is_available() else "cpu"
model, x = Net().eval().to(device), torch.randn(4, 8, device=device)
path = torch._inductor.aoti_compile_and_package(torch.export.export(model, (x,)))
run = torch._inductor.aoti_load_package(path)
print("loaded", flush=True)
run(torch.randn(4, 8, device="cpu"))  # <- AOTI102
torch.cuda.synchronize()
