import torch
from torch.library import Library, custom_op

lib = Library("ledger34", "DEF")

# mutates and returns nothing: torch makes the trivial fake itself
lib.define("post_(Tensor(a!) accounts, Tensor amounts) -> ()")

# composite: traced through, so the parts have their own fakes
lib.define("balance(Tensor accounts) -> Tensor")

if hasattr(torch.Tag, "inplace"):
    # the tag says what the result is
    lib.define("scale_(Tensor(a!) accounts, float by) -> Tensor(a!)", tags=(torch.Tag.inplace,))


@torch.library.impl(lib, "post_", "CPU")
def post_(accounts, amounts):
    accounts.add_(amounts)


@torch.library.impl(lib, "balance", "CompositeImplicitAutograd")
def balance(accounts):
    return accounts.cumsum(-1)[..., -1]


@custom_op("ledger34::clip_", mutates_args={"accounts"})
def clip_(accounts: torch.Tensor, limit: float) -> None:
    accounts.clamp_(max=limit)
