from enum import Enum
from pathlib import Path
from typing import NamedTuple


HOME = Path(__file__).resolve().parent


class Target(str, Enum):
    EDGE = "cpu"
    DATACENTER = "cuda"


class Artifact(NamedTuple):
    library: str
    target: Target
    width: int = 18


TABLE = {
    "edge": Artifact(str(HOME / "keyword_edge.so"), Target.EDGE),
    "dc": Artifact(str(HOME / "keyword_dc.so"), Target.DATACENTER, width=36),
}
