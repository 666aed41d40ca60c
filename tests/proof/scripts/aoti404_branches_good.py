"""Branches of a fake and of its kernel that no call comes to together."""

import torch


@torch.library.custom_op("proof::placed", mutates_args=())
def placed(x: torch.Tensor, dim: int, both: bool, last: bool) -> torch.Tensor:
    out = x * 2
    if both and not last:
        out = out.reshape(out.shape[0] * out.shape[1], 1)
    if both and last:
        return out.clone()
    if dim == 2:
        return out.unsqueeze(1)
    return out.unsqueeze(2)


@placed.register_fake
def _(x, dim, both, last):
    rows, columns = x.shape
    if both and last:
        return x.new_empty(x.shape)
    if both:
        rows, columns = rows * columns, 1
    if dim == 1:
        return x.new_empty((rows, columns, 1))
    if dim == 2:
        return x.new_empty((rows, 1, columns))
    raise ValueError(dim)


x = torch.randn(3, 4)
for dim, both, last in ((1, True, True), (1, True, False), (1, False, True), (2, False, False), (2, True, False)):
    with torch._subclasses.FakeTensorMode() as mode:
        said = placed(mode.from_tensor(x), dim, both, last).shape
    print(dim, both, last, said == placed(x, dim, both, last).shape)
