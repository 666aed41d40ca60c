"""Make `aoti_lint/torch_api/settings.json`: the settings and environment variables of each torch release.

    python scripts/make_torch_settings.py wheels/torch-*.whl

The sources are read as text, torch is never imported; which wheels and how to get them says `make_torch_api.py`. The
same releases give the same bytes.
"""

from __future__ import annotations

import argparse
import ast
import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import asdict, replace
from multiprocessing import Pool
from pathlib import Path
from typing import Any

from make_torch_api import Minor, add_release, spans
from static_configs import config_keys, config_modules, is_call_of, outside_functions
from static_environment import environment
from static_modules import SourceTree

OUTPUT = Path(__file__).parents[1] / "aoti_lint" / "torch_api" / "settings.json"

Flat = dict[tuple[str, ...], str]
"""What one release has: a path into the document, ended by the name -> the record as JSON, "" for none."""


def read(place: Path) -> tuple[dict[Minor, str], Flat]:
    """The data of one release.

    Raises `FileNotFoundError` when `place` holds no torch, `ValueError` when it does not say which torch it is.
    """
    tree = SourceTree(place, "torch")
    releases: dict[Minor, str] = {}
    add_release(releases, tree, place)
    configs = config_modules(tree)
    found: Flat = {}
    copies: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for module in configs:
        found["modules", module] = ""
        for name, key in config_keys(tree, module).items():
            if key.copied:
                copies[module, key.copied].append(name)
            record = {field: value for field, value in asdict(replace(key, copied="")).items() if value}
            found["keys", module, name] = json.dumps(record)
    for variable, readings in environment(tree, configs).items():
        every = {replace(r, key=key) for r in readings for key in (r.key, *copies[r.module, r.key])}
        texts = [[r.module, r.moment, r.how, list(r.words), r.default, r.key] for r in sorted(every)]
        found["variables", variable] = json.dumps(texts)
    for section, names in (
        ("logs", _registered_logs(tree, "register_log")),
        ("artifacts", _registered_logs(tree, "register_artifact")),
        ("modes", _modes(tree)),
        ("backends", _backends(tree)),
    ):
        found |= {(section, name): "" for name in names}
    return releases, found


def _registered_logs(tree: SourceTree, function: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(tree.source("torch._logging._registrations"))):
        if isinstance(node, ast.Call) and is_call_of(node, function) and isinstance(node.args[0], ast.Constant):
            yield str(node.args[0].value)


def _modes(tree: SourceTree) -> Iterator[str]:
    """The keys of the dictionary in `torch._inductor.list_mode_options`, which `torch.compile(mode=)` looks up."""
    for node in ast.walk(ast.parse(tree.source("torch._inductor"))):
        if isinstance(node, ast.FunctionDef) and node.name == "list_mode_options":
            for inner in ast.walk(node):
                value = inner.value if isinstance(inner, (ast.Assign, ast.AnnAssign)) else None
                if isinstance(value, ast.Dict):
                    yield from (str(key.value) for key in value.keys if isinstance(key, ast.Constant))
                    return


def _backends(tree: SourceTree) -> Iterator[str]:
    """What registers itself below `torch._dynamo`, by decorator (under the function's name) or by call."""
    for module in tree.modules():
        if not module.startswith("torch._dynamo.") or "backend" not in tree.source(module):
            continue
        for node in outside_functions(ast.parse(tree.source(module))):
            if isinstance(node, ast.FunctionDef):
                if any(_registers(decorator) and not _given_name(decorator) for decorator in node.decorator_list):
                    yield node.name
            elif isinstance(node, ast.Call) and _registers(node):
                yield from _given_name(node)


def _registers(node: ast.expr) -> bool:
    function = node.func if isinstance(node, ast.Call) else node
    name = function.id if isinstance(function, ast.Name) else getattr(function, "attr", "")
    return name in ("register_backend", "register_debug_backend", "register_experimental_backend")


def _given_name(node: ast.expr) -> list[str]:
    """The text of `name=` of a call."""
    words = [word for word in node.keywords if word.arg == "name"] if isinstance(node, ast.Call) else []
    return [str(word.value.value) for word in words if isinstance(word.value, ast.Constant)]


def document(found: dict[Minor, Flat], releases: dict[Minor, str]) -> dict[str, Any]:
    """The data as they are stored: spans of versions as `VersionSet.parse` reads them."""
    order = sorted(found)
    spread: defaultdict[tuple[str, ...], defaultdict[str, set[Minor]]] = defaultdict(lambda: defaultdict(set))
    for minor in order:
        for path, record in found[minor].items():
            spread[path][record].add(minor)
    made: dict[str, Any] = {
        "format": 1,
        "releases": {f"{major}.{minor}": releases[major, minor] for major, minor in order},
    }
    for section in ("modules", "keys", "variables"):
        made[section] = {}
    for path, forms in sorted(spread.items()):
        *above, name = path
        records = {
            spans(minors, order): record for record, minors in sorted(forms.items(), key=lambda form: min(form[1]))
        }
        place = made
        for part in above:
            place = place.setdefault(part, {})
        if set(records.values()) == {""}:
            place[name] = next(iter(records))
        else:
            place[name] = {span: json.loads(record) for span, record in records.items()}
    return made


def render(made: dict[str, Any], depth: int = 0) -> str:
    """The document as JSON with one line for each setting and each variable, so that two versions can be compared."""
    lines = []
    for name, value in made.items():
        deeper = isinstance(value, dict) and depth < (2 if name in ("keys",) or depth else 1)
        nested = deeper and any(isinstance(inner, dict) for inner in value.values())
        text = render(value, depth + 1) if nested else json.dumps(value)
        lines.append(f"{' ' * (depth + 1)}{json.dumps(name)}: {text}")
    return "{\n" + ",\n".join(lines) + "\n" + " " * depth + "}"


def main() -> None:
    parser = argparse.ArgumentParser(description="Make the data about torch's settings and variables by release.")
    parser.add_argument("places", nargs="+", type=Path, help="wheels of torch, or folders that hold torch/")
    parser.add_argument("--output", type=Path, default=OUTPUT)
    options = parser.parse_args()
    releases: dict[Minor, str] = {}
    found: dict[Minor, Flat] = {}
    try:
        with Pool(min(2, len(options.places))) as pool:
            for place, (own, flat) in zip(options.places, pool.imap(read, options.places), strict=True):
                (minor,) = own
                if minor in releases:
                    raise ValueError(f"{place}: torch {own[minor]} is of a minor that was read already")
                releases |= own
                found[minor] = flat
    except (OSError, ValueError, SyntaxError) as error:
        parser.error(str(error))
    options.output.write_text(render(document(found, releases)) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
