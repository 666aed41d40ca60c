"""Records what random calls really do: `python -m tests.program.contract.record FOLDER [MODEL ...]`.

Compiles the models into FOLDER where they are not there yet, makes each call in a child process (a package may read
where there is nothing), and writes `recorded/<model>.json`: what torch's files say, and every call with its outcome.

    right    `ep.module()` takes the call, and the package gives the same values
    wrong    it does not, or other values, and the package says nothing (or takes the process down)
    loud     the package raises
"""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

import argparse
import collections
import datetime
import json
import os
import signal
import sys
import warnings
from pathlib import Path
from typing import Any

import torch

from aoti_lint.program.contract.build import build
from aoti_lint.program.read import read
from tests.program.contract import models
from tests.program.contract.calls import Looks, arguments, key
from tests.program.contract.generate import Generator

RECORDED = Path(__file__).parent / "recorded"
COUNT = 1050
SEED = 20260
TYPES = {"nested": {"point": "Point", "pair": "Pair"}}
CLASSES = {"Point": models.Point, "Pair": models.Pair}
PATIENCE = 25
"""Wrong calls that one child process makes."""
SECONDS = 60
"""For one call; one that takes longer counts as wrong."""


def main(words: list[str]) -> None:
    """Record the models that are named, or all."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path, help="where the compiled models are, or go")
    parser.add_argument("models", nargs="*", default=list(models.CASES))
    parser.add_argument("--into", type=Path, default=RECORDED)
    parser.add_argument("--count", type=int, default=COUNT)
    asked = parser.parse_args(words)
    for folder in (asked.folder, asked.into):
        folder.mkdir(parents=True, exist_ok=True)
    for name in asked.models:
        record(name, asked.folder, asked.into / f"{name}.json", asked.count)


def compiled(name: str, folder: Path) -> tuple[Path, Path]:
    """The saved program and the package of a model."""
    program, package = folder / f"{name}.pt2", folder / f"{name}.aoti.pt2"
    if not package.exists():
        case = models.CASES[name]()
        ep = torch.export.export(case.model().eval(), case.args, case.kwargs, dynamic_shapes=case.dynamic_shapes)
        torch.export.save(ep, str(program))
        torch._inductor.aoti_compile_and_package(ep, package_path=str(package))
    return program, package


def record(name: str, folder: Path, path: Path, count: int) -> None:
    """Make calls of one model and write them to `path`."""
    program, package = compiled(name, folder)
    said = read(str(program)).programs[0], read(str(package)).packages[0]
    contract = build(said[1], said[0])
    module, loaded = torch.export.load(str(program)).module(), torch._inductor.aoti_load_package(str(package))
    calls = list(Generator(contract, TYPES.get(name, {}), SEED).calls(count))
    outcomes: list[str] = []
    while len(outcomes) < len(calls):
        first = len(outcomes)
        found, died = _outcomes(module, loaded, calls[first:], first)
        if died:
            # What went before may have broken the process: the call that ended it is made once more, alone.
            last = first + len(found)
            alone, _ = _outcomes(module, loaded, calls[last : last + 1], last)
            found += alone or ["wrong"]
        outcomes += found
    print(name, dict(collections.Counter(outcomes)), flush=True)
    document = {
        "model": name,
        "torch": torch.__version__,
        "date": datetime.date.today().isoformat(),
        "seed": SEED,
        "counts": dict(sorted(collections.Counter(outcomes).items())),
        "program": _without_places(said[0].model_dump(exclude_defaults=True)),
        "package": said[1].model_dump(exclude_defaults=True),
    }
    rows = ",\n".join(f"  [{json.dumps(outcome)}, {key(call)}]" for call, outcome in zip(calls, outcomes, strict=True))
    head = json.dumps(document, indent=1)[:-2]
    path.write_text(f'{head},\n "calls": [\n{rows}\n ]\n}}\n', encoding="utf-8")


def _without_places(program: dict[str, Any]) -> dict[str, Any]:
    """Without paths of the machine it was exported on."""
    for call in program.get("calls", ()):
        if call.get("place"):
            call["place"]["file"] = "models.py"
    program["source_files"] = ()
    return program


def _outcomes(module: Any, loaded: Any, calls: list[Any], first: int) -> tuple[list[str], bool]:
    """What calls do, seen in a child process, and whether it died.

    It ends after some wrong calls, as those may have written anywhere.
    """
    read_end, write_end = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read_end)
        # What the package prints on a wrong call is of no use here.
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.dup2(null, 2)
        wrong = 0
        for number, call in enumerate(calls, first):
            signal.alarm(SECONDS)
            answer = _judge(module, loaded, call, number)
            os.write(write_end, f"{answer}\n".encode())
            wrong += answer == "wrong"
            if wrong == PATIENCE:
                break
        os._exit(0)
    os.close(write_end)
    with os.fdopen(read_end, "rb") as pipe:
        answers = pipe.read().decode().split()
    _, status = os.waitpid(child, 0)
    return answers, status != 0


def _judge(module: Any, loaded: Any, call: Any, number: int) -> str:
    torch.manual_seed(number)
    args, kwargs = arguments(call, _tensor, CLASSES)
    with torch.no_grad():
        try:
            wanted = module(*args, **kwargs)
            accepted = True
        except Exception:
            accepted = False
        try:
            given = loaded(*args, **kwargs)
        except Exception:
            return "loud"
    return "right" if accepted and _same(wanted, given) else "wrong"


def _tensor(looks: Looks) -> torch.Tensor:
    """A tensor of random values, none of them 0."""
    dtype = getattr(torch, looks.dtype)
    if looks.device == "meta":
        return torch.empty_strided(looks.shape, looks.strides, dtype=dtype, device="meta")
    last = sum((size - 1) * stride for size, stride in zip(looks.shape, looks.strides, strict=True))
    count = 0 if 0 in looks.shape else last + 1
    if dtype == torch.bool:
        data = torch.rand(count) < 0.5
    elif dtype.is_floating_point:
        data = (torch.rand(count) * 3 + 0.1).to(dtype) * torch.where(torch.rand(count) < 0.5, -1, 1).to(dtype)
    else:
        data = torch.randint(1, 100, (count,)).to(dtype)
    return data.as_strided(looks.shape, looks.strides)


def _same(wanted: Any, given: Any) -> bool:
    """Whether two results are the same, to rounding."""
    left, first = torch.utils._pytree.tree_flatten(wanted)
    right, second = torch.utils._pytree.tree_flatten(given)
    if first != second:
        return False
    return all(map(_same_leaf, left, right))


def _same_leaf(a: Any, b: Any) -> bool:
    if not isinstance(a, torch.Tensor) or not isinstance(b, torch.Tensor):
        return bool(a == b)
    if a.shape != b.shape or a.dtype != b.dtype or a.device != b.device:
        return False
    if a.numel() == 0:
        return True
    # Adding in another order rounds otherwise, by as much as the largest result has digits.
    largest = max(1.0, float(a.double().nan_to_num(0, 0, 0).abs().max()))
    return bool(torch.allclose(a.double(), b.double(), rtol=_close(a.dtype), atol=1e-5 * largest, equal_nan=True))


def _close(dtype: torch.dtype) -> float:
    return 0.02 if dtype in (torch.bfloat16, torch.float16) else 1e-4


if __name__ == "__main__":
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")
    main(sys.argv[1:])
