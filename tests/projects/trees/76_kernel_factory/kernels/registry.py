import torch

NAMESPACE = "meadow76"
REGISTERED = {}


def kernel(name, mutates=()):
    """Decorator: the function becomes the op meadow76::name."""

    def wrap(function):
        op = torch.library.custom_op(f"{NAMESPACE}::{name}", function, mutates_args=mutates)
        REGISTERED[name] = op
        return op

    return wrap
