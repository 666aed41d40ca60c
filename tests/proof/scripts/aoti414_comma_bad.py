import torch

torch.library.define("proof::scale_", "(Tensor(a!) x,) -> ()")  # <- AOTI414
