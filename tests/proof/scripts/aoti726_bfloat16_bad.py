import numpy
import torch

model, x = torch.nn.Linear(4, 2).eval().bfloat16(), torch.randn(1, 4, dtype=torch.bfloat16)
predict = torch.export.export(model, (x,)).module()
with torch.inference_mode():
    out = predict(x)
print(numpy.asarray(out))  # <- AOTI726
