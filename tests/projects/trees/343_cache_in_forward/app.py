import torch

from functional import Stateless
from memory import Memory

memory = Memory().eval()
print(torch.export.export(Stateless(memory), (torch.randn(3, 4), torch.zeros(1, 4))).module()(torch.randn(3, 4), torch.zeros(1, 4))[1].shape)
program = torch.export.export(memory, (torch.randn(3, 4),))
run = program.module()
print(run(torch.ones(3, 4)).equal(run(torch.ones(3, 4))))
