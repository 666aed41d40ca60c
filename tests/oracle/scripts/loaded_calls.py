import torch


class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.l = torch.nn.Linear(4, 3)

    def forward(self, x):
        return torch.relu(self.l(x))


from torch.export import Dim

batch = Dim("batch", min=1, max=128)
ep = torch.export.export(M().eval(), (torch.randn(4, 4),), dynamic_shapes={"x": {0: batch}})
path = torch._inductor.aoti_compile_and_package(ep, package_path="calls.pt2")
run = torch._inductor.aoti_load_package(path)
for rows in (1, 8, 64):
    run(torch.randn(rows, 4))
data = torch.randn(100, 4)
for part in data.split(32):
    run(part)
results = [run(data[i : i + 10]) for i in range(0, 30, 10)]
outputs = list(map(run, [torch.ones(2, 4), torch.ones(3, 4)]))
serve = lambda tensor: run(tensor.unsqueeze(0))
serve(torch.ones(4))
handlers = {"fast": run, "slow": ep.module()}
handlers["fast"](torch.ones(6, 4))
handlers["slow"](torch.ones(7, 4))
models = [torch._inductor.aoti_load_package(p) for p in ("calls.pt2", path)]
models[1](torch.ones(9, 4))
inputs = (torch.ones(10, 4),)
run(*inputs)
out = run(torch.ones(11, 4))
run(torch.nn.functional.pad(out, (0, 1)))
