import torch

from config import DEFAULT, STRICT

model = torch.export.load(STRICT.path).module()
x = torch.randn(9, 6)
print(model(x, DEFAULT.threshold, DEFAULT.top).shape)
print(model(x, STRICT.threshold, STRICT.top).shape)
