from torch import rand
from torch._export import aot_load

from common import LIB, best_device

device = best_device()
lens = aot_load(LIB, device.type)
print(lens(rand(5, 7, device=device)).sum().item())
