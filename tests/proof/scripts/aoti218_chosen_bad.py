import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(64, 64)

    def forward(self, x):
        return self.fc(x)


model = Net().eval()
program = torch.export.export(model, (torch.randn(2, 64),))
run = torch._inductor.aoti_load_package(torch._inductor.aoti_compile_and_package(program, package_path="net.pt2"))
run.load_constants({k: v for k, v in model.state_dict().items() if "bias" in k}, check_full_update=False)
print("some of them")
run.load_constants({k: v for k, v in model.state_dict().items() if "bias" in k}, check_full_update=True)  # <- AOTI218
