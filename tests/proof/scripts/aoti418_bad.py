import torch

library = torch.library.Library("proof", "DEF")
library.define("scale_rows_(Tensor(a!) x) -> ()")


@torch.library.register_fake("proof::scale_row_")  # <- AOTI418
def _(x):
    return None
