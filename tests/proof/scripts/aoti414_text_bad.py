import torch

library = torch.library.Library("proof", "DEF")
library.define("scale_(Tensor(a!) x, int64_t by) -> ()")  # <- AOTI414
