import random
from datetime import datetime

import numpy as np
import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.noise = np.random.default_rng(0)
        self.chance = random.Random(0)

    def forward(self, x):
        order = list(range(64))
        random.shuffle(order)  # <- AOTI723
        x = x[:, order] * self.noise.normal()  # <- AOTI723
        x = x + self.chance.random()  # <- AOTI723
        return x + datetime.now().microsecond  # <- AOTI723


x = torch.arange(64.0).view(1, 64)
program = torch.export.export(Net(), (x,)).module()
assert not torch.equal(Net()(x), Net()(x))
assert not torch.equal(program(x), program(x)), "always the same"
