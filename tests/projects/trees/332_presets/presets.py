from dataclasses import dataclass


@dataclass(frozen=True)
class Preset:
    name: str
    device: str
    batch: int = 1

    @property
    def library(self):
        return f"./{self.name}.so"


PRESETS = {p.name: p for p in (Preset("edge", "cpu"), Preset("server", "cuda", batch=32))}


def by_name(name):
    try:
        return PRESETS[name]
    except KeyError:
        raise SystemExit(f"unknown preset {name}") from None
