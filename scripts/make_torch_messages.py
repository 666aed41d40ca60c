"""Make `aoti_lint/torch_api/messages.json`: which torch releases have each text of `aoti_lint.torch_api.messages`.

    python scripts/make_torch_messages.py wheels/torch-*.whl

The sources are read as text, torch is never imported; which wheels and how to get them says `make_torch_api.py`. A
text is looked for in the string literals of all modules, as the parser joins them. The same releases give the same
bytes.
"""

from __future__ import annotations

import argparse
import ast
import json
import sys
import warnings
from collections import defaultdict
from collections.abc import Collection
from pathlib import Path

from make_torch_api import Minor, add_release, spans
from static_modules import SourceTree

sys.path.insert(0, str(Path(__file__).parents[1]))

from aoti_lint.torch_api.messages import MESSAGES

OUTPUT = Path(__file__).parents[1] / "aoti_lint" / "torch_api" / "messages.json"


def found_in(tree: SourceTree, texts: Collection[str]) -> set[str]:
    """Those of the texts that a string literal of the tree holds."""
    left = set(texts)
    for module in tree.modules():
        source = tree.source(module)
        # Most modules hold no word of any text that is left.
        if not any(word in source for text in left for word in [max(text.split(), key=len)]):
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            nodes = ast.walk(ast.parse(source))
        literals = [n.value for n in nodes if isinstance(n, ast.Constant) and isinstance(n.value, str)]
        left -= {text for text in left if any(text in literal for literal in literals)}
    return set(texts) - left


def document(places: list[Path]) -> dict[str, object]:
    """The data of some releases. Raises `FileNotFoundError` and `ValueError` as `make_torch_api.add_release` does."""
    releases: dict[Minor, str] = {}
    there: defaultdict[str, set[Minor]] = defaultdict(set)
    texts = [message.text for message in MESSAGES]
    for place in places:
        tree = SourceTree(place, "torch")
        key = add_release(releases, tree, place)
        for text in found_in(tree, texts):
            there[text].add(key)
    order = sorted(releases)
    return {
        "releases": {f"{major}.{minor}": releases[major, minor] for major, minor in order},
        "messages": {text: spans(there[text], order) for text in sorted(texts)},
    }


def main() -> None:
    parser = argparse.ArgumentParser(description="Make the data about torch's messages by release.")
    parser.add_argument("places", nargs="+", type=Path, help="wheels of torch, or folders that hold torch/")
    parser.add_argument("--output", type=Path, default=OUTPUT)
    options = parser.parse_args()
    try:
        made = document(options.places)
    except (OSError, ValueError, SyntaxError) as error:
        parser.error(str(error))
    options.output.write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
