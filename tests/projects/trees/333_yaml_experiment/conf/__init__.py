from pathlib import Path
from types import SimpleNamespace

import yaml


def _namespace(value):
    if isinstance(value, dict):
        return SimpleNamespace(**{k: _namespace(v) for k, v in value.items()})
    return value


def load(name="base"):
    with open(Path(__file__).parent / f"{name}.yaml") as stream:
        return _namespace(yaml.safe_load(stream))
