"""All that we state of torch's names and signatures, held against the torch that is installed.

The other releases are held against their sources by `scripts/check_torch_api.py` and `check_torch_models.py`.
"""

from __future__ import annotations

import ast
import importlib.util
import inspect
import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from aoti_lint.models.modules import modes, module_making
from aoti_lint.models.modules.layers import layers
from aoti_lint.torch_api import api
from rules.api import ignored_argument, not_an_exported_program, not_packageable_files, package_path, unknown_device

ROOT = Path(__file__).parents[2]
INSTALLED = importlib.util.find_spec("torch")
pytestmark = pytest.mark.skipif(INSTALLED is None, reason="torch is not installed")
KINDS = ("positional only", "positional or keyword", "*", "keyword only", "**")
CALLS = 60
"""Calls that are tried on each signature."""


def _tables() -> dict[str, set[tuple[int | None, str]]]:
    """What tables of layers and of rules say of parameters: their position (None: by name only) and name."""
    found: dict[str, set[tuple[int | None, str]]] = {}
    for layer, names in layers.PARAMETERS.items():
        found.setdefault(f"torch.nn.{layer}", set()).update(enumerate(names))
    for layer, switches in module_making.SWITCHES.items():
        found.setdefault(f"torch.nn.{layer}", set()).update(switches)
    for layer, kind in modes.LAYERS.items():
        settings = (kind.needs, kind.layers)
        found.setdefault(f"torch.nn.{layer}", set()).update((s.index, s.name) for s in settings if s is not None)
    for function, how in modes.FUNCTIONS.items():
        settings = (how.needs, how.training)
        found.setdefault(function, set()).update((s.index, s.name) for s in settings if s is not None)
    for rule in (not_an_exported_program, not_packageable_files, package_path):
        for function, (index, name, *_) in rule._TAKES.items():
            if function.startswith("torch."):
                found.setdefault(function, set()).add((index, name))
    for index, name in ignored_argument._SLOTS:
        found.setdefault("torch._inductor.aoti_compile_and_package", set()).add((index, name))
    for function in ("torch.load", "torch.jit.load", "torch.amp.autocast", "torch.set_default_device"):
        index, names = unknown_device._TAKES[function]
        found.setdefault(function, set()).add((index, names[0]))
    return found


TABLES = _tables()


@pytest.fixture(scope="module")
def minor() -> str:
    assert INSTALLED is not None
    assert INSTALLED.origin is not None
    text = Path(INSTALLED.origin).with_name("version.py").read_text(encoding="utf-8")
    return ".".join(text.partition("__version__ = '")[2].split(".")[:2])


@pytest.fixture(scope="module")
def scripts() -> Any:
    """The scripts that read sources; they import each other by their plain names."""
    sys.path.insert(0, str(ROOT / "scripts"))
    try:
        import check_torch_api
        import check_torch_models

        yield check_torch_api, check_torch_models
    finally:
        sys.path.remove(str(ROOT / "scripts"))


@pytest.fixture(scope="module")
def release(scripts: Any) -> Any:
    assert INSTALLED is not None
    assert INSTALLED.origin is not None
    return scripts[0].Release(Path(INSTALLED.origin).parents[1])


@pytest.fixture(scope="module")
def real(minor: str, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """What torch itself says, from a process that imports it."""
    recorded = {
        owner: [name for name in names if minor in api.recorded(f"{owner}.{name}")]
        for owner, names in api.recorded_names().items()
    }
    signatures = {name for name in api.signature_names() if api.signature(name, minor) is not None}
    asked = {"names": {k: v for k, v in recorded.items() if v},
             "signatures": sorted(signatures | TABLES.keys())}  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-m", "tests.torch_api.real_torch"], input=json.dumps(asked), capture_output=True, text=True,
        check=False, cwd=ROOT,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def _made(listed: list[tuple[str, int, bool]]) -> inspect.Signature:
    empty = inspect.Parameter.empty
    return inspect.Signature(
        [inspect.Parameter(name, inspect._ParameterKind(kind), default=None if given else empty)
         for name, kind, given in listed]
    )  # fmt: skip


def _accepts(signature: inspect.Signature, count: int, names: tuple[str, ...]) -> bool:
    try:
        signature.bind(*range(count), **dict.fromkeys(names))
    except TypeError:
        return False
    return True


def _calls(name: str, listed: list[tuple[str, int, bool]]) -> list[tuple[int, tuple[str, ...]]]:
    """Sets of arguments: none, all, and some by chance; each time with one more that nobody has."""
    dice = random.Random(name)
    names = [one for one, kind, _ in listed if kind in (0, 1, 3)]
    needed = [one for one, kind, given in listed if kind in (1, 3) and not given]
    tried: list[tuple[int, tuple[str, ...]]] = [(0, ()), (0, tuple(needed)), (len(listed) + 1, ())]
    for _ in range(CALLS):
        count = dice.randint(0, len(names) + 1)
        rest = {one for one in names[count:] if one in needed or dice.random() < 0.3}
        if dice.random() < 0.3 and names:
            rest ^= {dice.choice(names)}
        if dice.random() < 0.2:
            rest.add("no_such_argument")
        tried.append((count, tuple(sorted(rest))))
    return tried


def test_every_recorded_signature_takes_the_calls_that_the_real_one_takes(real: Any, minor: str) -> None:
    checked, wrong = 0, []
    for name in api.signature_names():
        ours = api.signature(name, minor)
        if ours is None:
            continue
        theirs = real["signatures"][name]
        assert theirs is not None, f"{name} has no signature, and one is recorded"
        listed = [(p.name, KINDS.index(p.kind), p.default is not None) for p in ours.parameters]
        mine, others = _made(listed), [_made(one) for one in theirs]
        if listed != [tuple(one) for one in theirs[0]]:
            wrong.append(f"{name}: {mine}, really {others[0]}")
        for count, names in _calls(name, listed) + _calls(name, theirs[0]):
            checked += 1
            if _accepts(mine, count, names) != all(_accepts(one, count, names) for one in others):
                wrong.append(f"{name}: {count} by position and {names}")
    assert wrong == []
    assert checked > 10_000


def test_every_recorded_name_is_there(real: Any, scripts: Any, release: Any) -> None:
    """What a module binds only on a condition (another package, another system) may be missing."""
    wrong = []
    for full in real["missing"]:
        owner, _, name = full.rpartition(".")
        tree = release.tree(owner)
        straight = [n for n in tree.body if not hasattr(n, "body") or hasattr(n, "name")] if tree else []
        deleted = {t.id for n in ast.walk(tree) if isinstance(n, ast.Delete) for t in n.targets
                   if isinstance(t, ast.Name)} if tree else set()  # fmt: skip
        if tree is None or (name not in deleted and any(name in scripts[0].stored(node) for node in straight)):
            wrong.append(full)
    assert wrong == []
    # What only another package lets import is not looked at; most of torch is.
    assert len(real["skipped"]) < 20


def test_every_signature_is_that_of_its_source(scripts: Any, release: Any) -> None:
    """No decorator changes a recorded one, and no second definition has another one."""
    assert list(scripts[0].check_signatures(release)) == []


def test_models_read_the_arguments_that_torch_has(scripts: Any, release: Any) -> None:
    explained: set[tuple[str, str]] = set()
    assert list(scripts[1].check_models(release, explained)) == []
    assert set(scripts[1].EXPLAINED) - explained == set()


def test_what_models_read_is_found(scripts: Any) -> None:
    """A model that would read the wrong position, name or default is told."""
    stated = scripts[1].Stated
    none, taken = scripts[1].NO_DEFAULT, scripts[1].Taken
    torch = [(taken("input", 0, True, none), taken("dim", 1, True, 0), taken("keepdim", 2, True, False),
              taken("out", None, True, none))]  # fmt: skip

    def told(index: int | None, name: str | None, default: object = none) -> list[str]:
        return [argument for argument, _, _ in scripts[1].compare({stated(index, name, default, "model")}, torch)]

    assert told(1, "dim", 0) == told(None, "out") == told(None, "dtype") == []
    assert told(2, "dim") == ["dim", "keepdim"]
    assert told(1, "dim", -1) == ["dim"]
    assert told(1, None) == ["dim"]
    assert told(None, "keepdim") == ["keepdim"]


@pytest.mark.parametrize("name", sorted(TABLES))
def test_tables_have_the_parameters_of_torch(name: str, real: Any, scripts: Any, release: Any) -> None:
    """Functions in C++ have no signature at run time, but stubs."""
    if real["signatures"][name] is not None:
        if any(kind == 2 for _, kind, _ in real["signatures"][name][0]):
            pytest.skip("this Python does not keep overloads")
        positional = [one for one, kind, _ in real["signatures"][name][0] if kind < 2]
        by_name = {one for one, kind, _ in real["signatures"][name][0] if kind == 3}
        declared = [(positional, by_name)]
    else:
        overloads = scripts[1].Declared(release).function(name)
        assert overloads is not None
        declared = [([one.name for one in overload if one.index is not None],
                     {one.name for one in overload if one.index is None}) for overload in overloads]  # fmt: skip
    for index, parameter in TABLES[name]:
        assert any(
            parameter in by_name if index is None else positional[index : index + 1] == [parameter]
            for positional, by_name in declared
        ), (index, parameter)
