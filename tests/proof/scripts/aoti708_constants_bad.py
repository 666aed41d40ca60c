import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(64, 64)

    def forward(self, x):
        return self.fc(x)


compiled = torch.compile(Net())
program = torch.export.export(compiled, (torch.randn(2, 64),))
path = torch._inductor.aoti_compile_and_package(program, package_path="net.pt2")
run = torch._inductor.aoti_load_package(path)
run.load_constants(compiled.state_dict(), check_full_update=True)
print("its own names", sorted(run.get_constant_fqns()))
run.load_constants(Net().state_dict(), check_full_update=True)  # <- AOTI708
