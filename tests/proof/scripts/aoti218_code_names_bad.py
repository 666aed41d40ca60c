import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(64, 64)

    def forward(self, x):
        return self.fc(x)


model, other, x = Net().eval(), Net().eval(), torch.randn(2, 64)
program = torch.export.export(model, (x,))
run = torch._inductor.aoti_load_package(torch._inductor.aoti_compile_and_package(program, package_path="net.pt2"))
before = run(x)
run.loader.update_constant_buffer(other.state_dict(), False, False)  # <- AOTI218
print("as before:", torch.equal(run(x), before))
run.loader.update_constant_buffer({k.replace(".", "_"): v for k, v in other.state_dict().items()}, False, True)
print("as the other:", torch.allclose(run(x), other(x), atol=1e-5))
run.loader.update_constant_buffer(other.state_dict(), False, True)  # <- AOTI218
