"""Makes a script small of which the linter wrongly says that it fails."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tests.random_scripts.judge import Judge, Verdict


def minimised(verdict: Verdict) -> Verdict:
    """The script without the statements that it takes neither to work nor to be blamed."""
    wanted = verdict.false[0].code
    with Judge() as judge:
        while True:
            tries = ((verdict.number, text) for text in smaller(verdict.text))
            better = next((one for one in judge.all(tries) if any(it.code == wanted for it in one.false)), None)
            if better is None:
                return verdict
            verdict = better


def smaller(text: str) -> Iterator[str]:
    """The script without one statement, for each of them, the last ones first."""
    blocks = [block for block in map(_block, ast.walk(ast.parse(text))) if block]
    for number, block in enumerate(blocks):
        for index in reversed(range(len(block))):
            tree = ast.parse(text)
            same = [found for found in map(_block, ast.walk(tree)) if found][number]
            del same[index]
            if not same and not isinstance(tree, ast.Module):
                continue
            try:
                yield ast.unparse(ast.parse(ast.unparse(tree)))
            except (SyntaxError, ValueError):
                continue


def _block(node: ast.AST) -> list[ast.stmt]:
    body = getattr(node, "body", None)
    return body if isinstance(body, list) else []
