"""Ten rewrites of a script that keep its meaning.

Each takes the text and gives the files of the new script, `script.py` being the one to run, or None when there is
nothing in the script it could change. That they keep the meaning is shown by `proved.json`, made by `prove.py` from
real runs.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TypeAlias

from tests.metamorphic import structure, values

Rewrite: TypeAlias = Callable[[str], "dict[str, str] | None"]


def _of_text(change: Callable[[ast.Module], ast.Module | dict[str, ast.Module] | None]) -> Rewrite:
    def rewrite(text: str) -> dict[str, str] | None:
        made = change(ast.parse(text))
        if made is None:
            return None
        trees = made if isinstance(made, dict) else {"script.py": made}
        return {name: ast.unparse(ast.fix_missing_locations(tree)) + "\n" for name, tree in trees.items()}

    return rewrite


REWRITES: dict[str, Rewrite] = {
    change.__name__: _of_text(change)
    for change in (
        values.extract_variables,
        values.settings_class,
        values.kwargs_dict,
        values.partial,
        values.build_path,
        structure.wrap_in_main,
        structure.early_return,
        structure.two_modules,
        structure.rename_imports,
        structure.reorder,
    )
}
