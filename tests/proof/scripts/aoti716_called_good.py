import torch

x = torch.ones(3, requires_grad=True)
y = torch.cond(x.sum() > 0, lambda x: x.clone(), lambda x: torch.zeros_like(x), (x,))
z = torch.cond(True, lambda x: x, lambda x: torch.zeros_like(x), (x,))
print("sums", float(y.sum()), float(z.sum()))
