from pathlib import Path

FOLDER = Path("artifacts")
PACKAGE = str(FOLDER / "model.pt2")


class Settings:
    device = "cpu"
    rows = 6
