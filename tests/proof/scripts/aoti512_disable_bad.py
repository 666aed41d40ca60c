import torch
from torch._dynamo.utils import counters

compiled = torch.compile(torch.nn.Linear(3, 3), disable="cudagraphs")  # <- AOTI512
compiled(torch.randn(2, 3))
print("graphs", counters["stats"]["unique_graphs"])
