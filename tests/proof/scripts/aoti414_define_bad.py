import torch

torch.library.define("proof::scale_", "scale_(Tensor(a!) x) -> ()")  # <- AOTI414
