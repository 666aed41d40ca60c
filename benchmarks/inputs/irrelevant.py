"""Counts the words of the files it is given: a script that has nothing to do with PyTorch."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path


def count(path: Path) -> Counter[str]:
    words: Counter[str] = Counter()
    with path.open(encoding="utf-8") as file:
        for line in file:
            words.update(word.strip(".,;:!?").lower() for word in line.split())
    return words


def main() -> None:
    total: Counter[str] = Counter()
    for name in sys.argv[1:]:
        total += count(Path(name))
    for word, number in total.most_common(10):
        print(f"{number:>6} {word}")


if __name__ == "__main__":
    main()
