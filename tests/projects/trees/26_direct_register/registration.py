from typing import Callable, Optional

import torch
from torch.library import Library

paged_lib = Library("paged", "FRAGMENT")


def direct_register_custom_op(
    op_name: str,
    op_func: Callable,
    mutates_args: Optional[list[str]] = None,
    fake_impl: Optional[Callable] = None,
    target_lib: Optional[Library] = None,
    dispatch_key: str = "CPU",
    tags: tuple[torch.Tag, ...] = (),
) -> None:
    """Registers without the overhead of torch.library.custom_op."""
    schema = torch.library.infer_schema(op_func, mutates_args=mutates_args or [])
    lib = target_lib or paged_lib
    lib.define(op_name + schema, tags=tags)
    lib.impl(op_name, op_func, dispatch_key=dispatch_key)
    if fake_impl is not None:
        lib._register_fake(op_name, fake_impl)
