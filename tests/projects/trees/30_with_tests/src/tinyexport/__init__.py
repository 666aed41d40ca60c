from .core import export_static, package

__all__ = ["export_static", "package"]
