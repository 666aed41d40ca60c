"""As much of torch as the hooks of a rerun look at, laid out as in 2.13; packages are text files."""

__version__ = "2.13.0"


class Tensor:
    pass
