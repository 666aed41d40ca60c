from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Config:
    threshold: float = 0.5
    top: int = 3
    path: str = "anomaly.pt2"


DEFAULT = Config()
STRICT = replace(DEFAULT, threshold=0.9)
