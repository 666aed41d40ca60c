from dataclasses import dataclass
from enum import Enum


class Device(str, Enum):
    cpu = "cpu"
    cuda = "cuda"


@dataclass
class ExportSettings:
    width: int = 10
    batch: int = 1
    dynamic: bool = True


EXPORT = ExportSettings()
