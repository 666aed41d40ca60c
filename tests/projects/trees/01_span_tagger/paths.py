"""Where things are. Imported by everything, imports nothing of ours."""
from pathlib import Path

ROOT = Path(__file__).resolve().parent
ARTIFACTS = ROOT / "artifacts"
TAGGER_LIB = ARTIFACTS / "tagger" / "model.so"
LABELS = ("O", "B-PER", "I-PER", "B-LOC", "I-LOC")
EMBED = 24
