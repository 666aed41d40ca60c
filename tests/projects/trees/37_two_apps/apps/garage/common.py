"""Constants of the garage application."""
from pathlib import Path

HERE = Path(__file__).resolve().parent
PACKAGE = HERE / "model.pt2"
DEVICE = "cuda"
SENSORS = 9
