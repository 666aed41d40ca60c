"""A page as Chromium shows it; what asks for it is skipped only where there is no Chromium."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")


def shown(address: str, profile: Path, *options: str) -> str:
    """What is there once a page was opened and its script has run; `profile` is a folder for the browser."""
    found = next((path for name in NAMES if (path := shutil.which(name)) is not None), None)
    if found is None:
        pytest.skip("no Chromium on the path")
    done = subprocess.run(
        [found, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={profile}", *options, "--dump-dom",
         address],
        capture_output=True, text=True, check=True, encoding="utf-8",
    )  # fmt: skip
    return done.stdout
