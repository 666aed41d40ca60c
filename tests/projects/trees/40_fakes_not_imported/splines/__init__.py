from .ops import evaluate

__all__ = ["evaluate"]
