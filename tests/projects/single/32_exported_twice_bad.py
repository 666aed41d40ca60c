"""First the dynamic export, then a static one "to look at", under the same name: that one is kept."""
import torch
from torch import nn
from torch.export import Dim, export

PATH = "gelu.pt2"
model = nn.Sequential(nn.Linear(7, 3), nn.GELU()).eval()
x = torch.rand(2, 7)

ep = export(model, (x,), dynamic_shapes=[{0: Dim("n", min=1, max=32)}])
print(ep.range_constraints)

ep = export(model, (x,))
print(len(ep.graph.nodes))
torch._inductor.aoti_compile_and_package(ep, package_path=PATH)
print(torch._inductor.aoti_load_package(PATH)(torch.rand(20, 7)).shape)
