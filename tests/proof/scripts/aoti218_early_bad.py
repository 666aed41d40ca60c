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
options = {"aot_inductor.package_constants_in_so": False}
path = torch._inductor.aoti_compile_and_package(program, package_path="model.pt2", inductor_configs=options)
run = torch._inductor.aoti_load_package(path)
y = run(x)  # <- AOTI218
run.load_constants(model.state_dict(), check_full_update=False)  # <- AOTI218
