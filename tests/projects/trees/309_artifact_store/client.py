import torch

from package.store import Entry

new = Entry("churn", version="v2").load()
print(new(torch.randn(3, 5)).shape)
old = Entry("churn").load()
print(old(torch.randn(16, 5)).shape)
print(old(torch.randn(3, 5)).shape)
