from pathlib import Path

import yaml

ROWS = yaml.safe_load((Path(__file__).parent / "config.yaml").read_text())["rows"]
