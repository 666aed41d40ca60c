"""It gives one object."""

import torch

explanation = torch._dynamo.explain(torch.sin)(torch.ones(2))
print("graphs", explanation.graph_count)
