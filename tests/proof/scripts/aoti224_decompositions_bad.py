import io

import torch

net = torch.nn.Linear(4, 2)
program = torch.export.export(net, (torch.randn(3, 4),))
program.run_decompositions()  # <- AOTI224
torch.export.save(program, io.BytesIO())
print("linear", any("linear" in str(node.target) for node in program.graph.nodes))
