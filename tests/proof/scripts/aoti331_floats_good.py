"""Numbers are read out of a text, and become float32."""

import os

import numpy as np
import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return x * 2


program = torch.export.export(Net(), (torch.randn(3),))
run = torch._inductor.aoti_load_package(torch._inductor.aoti_compile_and_package(program))
text = os.environ.get("ROW", "1.5;2.5;3.5")
values = [float(part) for part in text.split(";")]
x = torch.from_numpy(np.array(values, dtype=np.float32))
print("equal", torch.equal(run(x), x * 2), torch.equal(run(torch.tensor(values)), x * 2))
