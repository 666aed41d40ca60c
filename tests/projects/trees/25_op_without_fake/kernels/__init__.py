from .quantile import soft_quantile
from .rank import rank_rows

__all__ = ["rank_rows", "soft_quantile"]
