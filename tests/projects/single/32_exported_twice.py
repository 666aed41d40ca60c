"""First a static export to look at, then the one that is kept, under the same names."""
import torch
from torch import nn
from torch.export import Dim, export

PATH = "gelu.pt2"
model = nn.Sequential(nn.Linear(7, 3), nn.GELU()).eval()
x = torch.rand(1, 7)

ep = export(model, (x,))
print(len(ep.graph.nodes))

x = torch.rand(2, 7)
ep = export(model, (x,), dynamic_shapes=[{0: Dim("n", min=1, max=32)}])
torch._inductor.aoti_compile_and_package(ep, package_path=PATH)
print(torch._inductor.aoti_load_package(PATH)(torch.rand(20, 7)).shape)
