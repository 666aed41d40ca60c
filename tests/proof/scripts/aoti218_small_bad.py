import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(16, 4)
        self.norm = torch.nn.BatchNorm1d(4)

    def forward(self, x):
        return self.norm(self.fc(x))


model = Net().eval()
program = torch.export.export(model, (torch.ones(3, 16),))
path = torch._inductor.aoti_compile_and_package(program, package_path="net.pt2")
run = torch._inductor.aoti_load_package(path)
names = run.get_constant_fqns()
run.load_constants({name: one for name, one in model.state_dict().items() if name in names}, check_full_update=True)
print("it has", names)
run.load_constants(model.state_dict(), check_full_update=True)  # <- AOTI218
