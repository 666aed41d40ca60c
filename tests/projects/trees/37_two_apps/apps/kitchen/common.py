"""Constants of the kitchen application."""
from pathlib import Path

HERE = Path(__file__).resolve().parent
PACKAGE = HERE / "model.pt2"
DEVICE = "cpu"
SENSORS = 6
