import os

DEVICE = os.environ.get("SERVE_DEVICE", "cpu")
PACKAGE = os.environ.get("SERVE_PACKAGE", "/srv/models/ranker.pt2")
MAX_BATCH = int(os.getenv("SERVE_MAX_BATCH", "32"))
