import torch
from torch._inductor.package import package_aoti

x = torch.randn(2, 8)
program = torch.export.export(torch.nn.Linear(8, 4).eval(), (x,))
files = torch._inductor.aot_compile(program.module(), (x,), options={"aot_inductor.package": True})
package_aoti("no/such/folder/model.pt2", files)  # <- AOTI209
