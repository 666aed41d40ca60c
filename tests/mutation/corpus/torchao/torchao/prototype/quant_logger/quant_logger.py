# Copyright (c) Meta Platforms, Inc. and affiliates.
# All rights reserved.
#
# This source code is licensed under the BSD 3-Clause license found in the
# LICENSE file in the root directory of this source tree.


import torch

counter = [0]


def get_default_stats(x: torch.Tensor):
    max_abs = torch.max(torch.abs(x)).item()
    avg = torch.mean(x).item()
    std = torch.std(x, correction=0).item()
    return max_abs, avg, std


@torch.library.custom_op("quant_logger::log_tensor", mutates_args=("x",))
def log_tensor(
    x: torch.Tensor, fqn: str, op: str, tag: str, extra: str | None = None
) -> None:
    counter_val = counter[0]
    counter[0] += 1
    max_abs, avg, std = get_default_stats(x)
    extra_str = ""
    if extra is not None:
        extra_str = f"{extra=}, "
    print(
        f"t={tag}, c={counter_val}, {fqn=}, {op=}, {extra_str}max_abs={max_abs:.2f}, avg={avg:.2f}, std={std:.2f}"
    )


@log_tensor.register_fake
def _(x: torch.Tensor, fqn: str, op: str, tag: str, extra: str | None = None) -> None:
    pass
