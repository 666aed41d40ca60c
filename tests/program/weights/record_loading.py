"""Writes `loading.json`: what `load_constants` does with state dicts that do not fit. Run with a Python that has torch.

    python -m tests.program.weights.record_loading [file]

One model is compiled three ways: with its weights in the package, without, and without but folding constants at run
time. Then each case is loaded and run in a process of its own, since some of them end it.
"""

from __future__ import annotations

import functools
import json
import os
import re
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from aoti_lint.program.read import read
from aoti_lint.program.weights.reading import read_weights

TARGET = Path(__file__).with_name("loading.json")

WAYS: dict[str, dict[str, Any]] = {
    "in the package": {},
    "not in the package": {"aot_inductor.package_constants_in_so": False},
    "folded": {"aot_inductor.package_constants_in_so": False, "aot_inductor.use_runtime_constant_folding": True},
}

CALLS = {
    "checked": {"check_full_update": True},
    "unchecked": {"check_full_update": False},
    "user managed": {"check_full_update": True, "user_managed": True},
}
"""Arguments of `load_constants`."""


def model() -> Any:
    """Sizes are chosen so that every constant is its own: tied twins, an inlined bias, buffers of both kinds."""
    import torch

    class Model(torch.nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.first = torch.nn.Linear(16, 16)
            self.second = torch.nn.Linear(16, 16)
            self.tied = torch.nn.Linear(16, 16, bias=False)
            self.tied.weight = self.second.weight
            self.head = torch.nn.Linear(16, 3)
            self.register_buffer("scale", torch.rand(16))
            self.register_buffer("table", torch.rand(16, 16), persistent=False)
            self.plain = torch.rand(1, 16)

        def forward(self, x: Any) -> Any:
            y = self.second(self.first(x)) * self.scale + self.plain
            return self.head(self.tied(y).sin() @ self.table), (self.first.weight.t() * 2.0 + 1.0).sum(0) + y.sum()

    torch.manual_seed(0)
    return Model().eval()


def cases() -> dict[str, Callable[[dict[str, Any]], None]]:
    """What is done to a state dict that fits exactly; its tensors are new ones."""
    import torch

    def put(name: str, make: Callable[[Any], Any]) -> Callable[[dict[str, Any]], None]:
        def change(state: dict[str, Any]) -> None:
            state[name] = make(state[name])

        return change

    def renamed(prefix: str) -> Callable[[dict[str, Any]], None]:
        def change(state: dict[str, Any]) -> None:
            for name in list(state):
                state[prefix + name] = state.pop(name)

        return change

    def within(before: int, after: int) -> Callable[[Any], Any]:
        """The same values, as a view of a storage with that many elements more on either side."""

        def make(tensor: Any) -> Any:
            whole = torch.full((before + tensor.numel() + after,), 7.0)
            view = whole[before : before + tensor.numel()].view(tensor.shape)
            view.copy_(tensor)
            return view

        return make

    return {
        "fits": lambda state: None,
        "empty": lambda state: state.clear(),
        "parameter missing": lambda state: state.pop("first.weight"),
        "buffer missing": lambda state: state.pop("scale"),
        "non-persistent buffer missing": lambda state: state.pop("table"),
        "constant missing": lambda state: state.pop("_tensor_constant0"),
        "unexpected": lambda state: state.update(other=torch.rand(4)),
        "not a tensor": lambda state: state.update(step=3),
        "inlined": lambda state: state.update({"head.bias": torch.rand(3)}),
        "tied twin besides": lambda state: state.update({"second.weight": state["tied.weight"]}),
        "tied twin instead": lambda state: state.update({"second.weight": state.pop("tied.weight")}),
        "name of a folded constant": lambda state: state.update(_FOLDED_CONST_permute=torch.rand(16, 16)),
        "constant under its own name": lambda state: state.update(plain=state.pop("_tensor_constant0")),
        "prefix": renamed("_orig_mod."),
        "smaller": put("first.weight", lambda t: t[:8].clone()),
        "larger": put("first.weight", lambda t: torch.cat([t, t + 5])),
        "much larger": put("first.weight", lambda t: torch.full((2048, 2048), 5.0)),
        "same count": put("first.weight", lambda t: t.reshape(8, 32)),
        "fewer dimensions": put("first.weight", lambda t: t.reshape(-1)),
        "more dimensions": put("first.weight", lambda t: t.reshape(1, 16, 16)),
        "float16": put("first.weight", lambda t: t.half()),
        "float64": put("first.weight", lambda t: t.double()),
        "int32": put("first.weight", lambda t: (t * 100).int()),
        "bfloat16 buffer": put("scale", lambda t: t.bfloat16()),
        "transposed": put("first.weight", lambda t: t.t().contiguous().t()),
        "transposed in a kernel": put("table", lambda t: t.t().contiguous().t()),
        "expanded": put("scale", lambda t: t[:1].clone().expand(16)),
        "view at the front of a larger storage": put("first.weight", within(0, 512)),
        "view inside a larger storage": put("first.weight", within(64, 0)),
        "view inside a larger storage, buffer": put("scale", within(64, 64)),
        "view far inside a huge storage": put("first.weight", within(4_000_000, 4_000_000)),
        "meta": put("first.weight", lambda t: t.to("meta")),
        "parameter with gradient": put("first.weight", lambda t: torch.nn.Parameter(t)),
        "sparse": put("first.weight", lambda t: t.to_sparse()),
    }


def near(found: Any, wanted: Any) -> bool:
    import torch

    return all(torch.allclose(a, b, atol=1e-4, rtol=1e-4, equal_nan=True) for a, b in zip(found, wanted, strict=True))


def fitting(module: Any, names: list[str]) -> tuple[dict[str, Any], dict[str, Any]]:
    """A state dict of new values for the constants, and the tensors of the model that they belong to."""
    import torch

    known = {**module.state_dict(), "table": module.table, "_tensor_constant0": module.plain}
    torch.manual_seed(1)
    return {name: torch.rand_like(known[name]) for name in names if not name.startswith("_FOLDED_CONST_")}, known


def described(package: str) -> dict[str, Any]:
    """The constants as aoti-lint reads them out of the package."""
    said = read(package).packages[0]
    wanted = [weight.model_dump(mode="json", exclude_defaults=True) for weight in said.weights]
    return {"wanted": wanted, "weights_at": said.weights_at}


def read_back(names: list[str], change: Callable[[dict[str, Any]], None], path: Path) -> dict[str, Any]:
    """The changed state dict, saved, as aoti-lint reads it."""
    import torch

    state, _ = fitting(model(), names)
    change(state)
    torch.save(state, path)
    return {**read_weights(path).model_dump(mode="json", exclude_defaults=True), "file": "state.pt"}


def attempt(package: str, names: list[str], change: Callable[[dict[str, Any]], None], how: dict[str, bool]) -> str:
    """Loads the changed state dict over the old weights and runs; one line."""
    import torch

    module = model()
    sample = torch.rand(4, 16)
    old = module(sample)
    state, known = fitting(module, names)
    first = state.get("first.weight")
    for name, value in state.items():
        known[name].detach().copy_(value)
    new = module(sample)
    runner = torch._inductor.aoti_load_package(package)
    change(state)
    fits = state.get("first.weight", first)
    if "scale" in state and state["scale"].shape == (16,):
        module.scale.copy_(state["scale"])
    if fits is not None and fits.shape == (16, 16) and fits.layout == torch.strided and fits.device.type == "cpu":
        module.first.weight.detach().copy_(fits)
    wanted = module(sample)
    try:
        runner.load_constants(state, **how)
    except Exception as problem:
        return f"load_constants raises: {str(problem).splitlines()[0]}"
    try:
        found = runner(sample)
    except Exception as problem:
        return f"the call raises: {str(problem).splitlines()[0]}"
    if near(found, wanted):
        return "right"
    if near(found, old):
        return "the old weights are used"
    parts = [near(found[i : i + 1], wanted[i : i + 1]) for i in range(2)]
    return "wrong" if not any(parts) and not near(found, new) else f"wrong in part {parts}"


def in_child(work: Callable[[], str], errors: Path) -> str:
    """`work()` in a process of its own, or how that process died; with the warnings of the runtime."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        os.close(reader)
        os.dup2(os.open(errors, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 2)
        try:
            said = work()
        except BaseException as problem:
            said = f"recorder: {type(problem).__name__}: {problem}"
        os.write(writer, said.encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        said = pipe.read().decode()
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return f"the process dies of signal {os.WTERMSIG(status)}"
    warned = sorted({line for line in errors.read_text().splitlines() if re.match(r"\[WARNING\]|Error", line)})
    # The folders of the machine are of no interest.
    return re.sub(r"/[\w./-]*?/(?=torch/(?:csrc|include)/|\w+\.wrapper\.cpp)", "", " / ".join([said, *warned]))


def main(target: Path) -> None:
    import torch
    import torch._inductor.compile_fx
    import torch._inductor.package
    from torch._inductor.cpu_vec_isa import pick_vec_isa

    pick_vec_isa()  # takes seconds, and every child would find out anew
    torch.set_num_threads(1)
    recorded: dict[str, Any] = {"torch": torch.__version__, "date": time.strftime("%Y-%m-%d"), "ways": {}}
    with tempfile.TemporaryDirectory() as folder:
        for way, options in WAYS.items():
            package = str(Path(folder) / f"{way.replace(' ', '_')}.pt2")

            def compiled(package: str = package, options: dict[str, Any] = options) -> str:
                program = torch.export.export(model(), (torch.rand(4, 16),))
                torch._inductor.aoti_compile_and_package(program, package_path=package, inductor_configs=options)
                return json.dumps(sorted(torch._inductor.aoti_load_package(package).get_constant_fqns()))

            print(way, file=sys.stderr)
            said = in_child(compiled, Path(folder) / "compile.txt")
            names = json.loads(said.split(" / ")[0])
            outcomes: dict[str, Any] = {}
            for case, change in cases().items():
                outcomes[case] = {
                    name: in_child(
                        functools.partial(attempt, package, names, change, how),
                        Path(folder) / "case.txt",
                    )
                    for name, how in CALLS.items()
                }
            files = {case: read_back(names, change, Path(folder) / "state.pt") for case, change in cases().items()}
            recorded["ways"][way] = {**described(package), "outcomes": outcomes, "files": files}
            print(json.dumps(outcomes, indent=1), file=sys.stderr)
    target.write_text(json.dumps(recorded) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else TARGET)
