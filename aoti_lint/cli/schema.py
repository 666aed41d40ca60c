"""`aoti-lint schema`: the JSON Schema of the JSON document."""

from __future__ import annotations

from argparse import ArgumentParser


def run(words: list[str]) -> int:
    """Print the schema."""
    parser = ArgumentParser(prog="aoti-lint schema", description="Print the JSON Schema of --output-format json.")
    parser.parse_args(words)
    import json

    from aoti_lint.report.json_v1 import schema

    print(json.dumps(schema(), indent=2))
    return 0
