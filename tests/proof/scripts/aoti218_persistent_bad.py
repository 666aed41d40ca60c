import os
import tempfile

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(16, 16)
        self.register_buffer("mask", torch.ones(16), persistent=False)

    def forward(self, x):
        return self.fc(x) * self.mask


model, x = Net().eval(), torch.randn(8, 16)
program = torch.export.export(model, (x,))
path = os.path.join(tempfile.mkdtemp(), "net.pt2")
options = {"aot_inductor.package_constants_in_so": False}
torch._inductor.aoti_compile_and_package(program, package_path=path, inductor_configs=options)
run = torch._inductor.aoti_load_package(path)
run.load_constants(model.state_dict(), check_full_update=True)  # <- AOTI218
print("loaded", flush=True)
print("the same:", torch.allclose(run(x), model(x), atol=1e-5))
