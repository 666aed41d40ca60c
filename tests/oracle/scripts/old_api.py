import torch


class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.l = torch.nn.Linear(4, 3)

    def forward(self, x):
        return torch.relu(self.l(x))


from torch._export import aot_compile, aot_load as load
from torch._inductor import aot_compile as inductor_aot_compile

so = aot_compile(M(), (torch.randn(2, 4),), options={"aot_inductor.output_path": "./old.so"})
load(so, "cpu")(torch.randn(2, 4))
load("./old.so", device="cpu")(torch.ones(2, 4))
b = torch.export.Dim("b")
other = aot_compile(M(), args=(torch.randn(3, 4),), dynamic_shapes={"x": {0: b}})
run = load(other, str(torch.device("cpu")))
run(torch.ones(5, 4))
ep = torch.export.export(M(), (torch.randn(6, 4),))
third = inductor_aot_compile(ep.module(), (torch.randn(6, 4),))
load(third, "cpu")(torch.randn(6, 4))
parts = torch._inductor.aot_compile(ep.module(), (torch.randn(6, 4),), options={"aot_inductor.package": True})
from torch._inductor.package import load_package, package_aoti

package_aoti("several.pt2", {"first": parts})
load_package("several.pt2", "first")(torch.randn(6, 4))
