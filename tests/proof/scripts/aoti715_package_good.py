import os
import tempfile

import torch

folder = tempfile.mkdtemp()
weights = os.path.join(folder, "weights.pt")
torch.save(torch.nn.Linear(8, 64).state_dict(), weights)
model = torch.nn.Linear(8, 64)
model.load_state_dict(torch.load(weights))
program = torch.export.export(model, (torch.randn(2, 8),))
path = torch._inductor.aoti_compile_and_package(program, package_path=os.path.join(folder, "net.pt2"))
run = torch._inductor.aoti_load_package(path)
x = torch.randn(2, 8)
print("the same:", torch.allclose(run(x), model(x), atol=1e-5))
