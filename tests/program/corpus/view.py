"""Notes what torch says of archives that `write.py` made: `python view.py FOLDER [NAME…]`.

Run it with the torch that wrote them. Beside each `X.pt2` and beside the library in each folder comes `X.view.json`,
made in a process of its own, as some archives end the process that runs them. A field that torch could not give has
`{"error": …}`.
"""

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
import torch._dynamo
import torch._inductor
import torch.export
from models import BARE, PACKAGES, case
from torch.export.graph_signature import InputKind
from torch.utils._pytree import tree_leaves, treespec_dumps
from write import apart, failure, warm_up

try:
    import torch._inductor.package
except ImportError:
    pass  # Not before 2.6.

View = dict[str, Any]

CHECKED = ("dim", "checks", "scalars", "kwargs", "shared_dim", "dtypes", "nan_asserts", "derived", "static")
"""Packages that are called with inputs they must refuse."""

SECONDS = 120


def tried(function: Callable[[], Any]) -> Any:
    try:
        return function()
    except Exception as error:
        return {"error": failure(error)}


def value(given: Any) -> View:
    if isinstance(given, torch.Tensor):
        return {
            "kind": "tensor",
            "dtype": str(given.dtype),
            "shape": [size if type(size) is int else str(size) for size in given.shape],
            "stride": tried(lambda: [str(stride) for stride in given.stride()]),
            "device": str(given.device),
        }
    for kind, word in ((torch.SymInt, "symint"), (torch.SymFloat, "symfloat"), (torch.SymBool, "symbool")):
        if isinstance(given, kind):
            return {"kind": word, "value": str(given)}
    if given is None:
        return {"kind": "none", "value": None}
    if isinstance(given, (bool, int, float, str)):
        return {"kind": type(given).__name__, "value": given}
    return {"kind": type(given).__name__, "value": str(given)[:300]}


def values(tree: Any) -> list[View]:
    return [value(leaf) for leaf in tree_leaves(tree)]


def bound(end: Any) -> int | str:
    text = str(end)
    if text.endswith(("oo", "inf")):
        return "-inf" if text.startswith("-") else "inf"
    try:
        return int(text)
    except ValueError:
        return text


class ProgramView:
    """What torch says of an exported program."""

    def __init__(self, program: torch.export.ExportedProgram) -> None:
        self.program = program
        self.signature = program.graph_signature
        self.nodes = {node.name: node for node in program.graph.nodes}

    def view(self) -> View:
        program, signature = self.program, self.signature
        call = program.module_call_graph[0].signature
        found: dict[str, Callable[[], Any]] = {
            "user_inputs": lambda: [
                self.argument(spec.arg) for spec in signature.input_specs if spec.kind == InputKind.USER_INPUT
            ],
            "input_specs": self.input_specs,
            "outputs": lambda: [
                {**self.argument(spec.arg), "spec": spec.kind.name, "target": spec.target}
                for spec in signature.output_specs
            ],
            "range_constraints": lambda: {
                str(symbol): [bound(ends.lower), bound(ends.upper)]
                for symbol, ends in program.range_constraints.items()
            },
            "state": self.state,
            "buffers_to_mutate": lambda: dict(signature.buffers_to_mutate),
            "user_inputs_to_mutate": lambda: dict(signature.user_inputs_to_mutate),
            "ops": self.ops,
            "symbols": self.symbols,
            "unbacked": lambda: [symbol for symbol in self.symbols() if symbol.startswith("u")],
            "guards_code": lambda: list(program._guards_code),
            "forward_arg_names": lambda: call.forward_arg_names,
            "in_spec": lambda: treespec_dumps(program.call_spec.in_spec),
            "out_spec": lambda: treespec_dumps(program.call_spec.out_spec),
            "example_inputs": self.example_inputs,
            "dialect": lambda: str(program.dialect),
            "verifiers": lambda: [str(verifier.dialect) for verifier in program.verifiers],
            "ran_outputs": self.run,
        }
        if not hasattr(program, "_guards_code"):
            del found["guards_code"]
        return {"torch": torch.__version__, **{key: tried(function) for key, function in found.items()}}

    def argument(self, arg: Any) -> View:
        if hasattr(arg, "value"):
            found = value(arg.value)
        elif arg.name in self.nodes:
            found = value(self.nodes[arg.name].meta.get("val"))
        else:
            found = {"kind": "?"}
        return {**found, "name": getattr(arg, "name", None), "arg": type(arg).__name__}

    def input_specs(self) -> list[View]:
        return [
            {
                "kind": spec.kind.name,
                "arg": getattr(spec.arg, "name", None),
                "target": spec.target,
                "persistent": spec.persistent,
            }
            for spec in self.signature.input_specs
        ]

    def state(self) -> View:
        """Weights and constants, and which of them share their storage."""
        program = self.program
        tensors: View = {}
        shared: dict[int, set[str]] = {}
        for name, tensor in (*program.state_dict.items(), *program.constants.items()):
            if not isinstance(tensor, torch.Tensor):
                tensors[name] = {"type": type(tensor).__name__}
                continue
            tensors[name] = {
                "dtype": str(tensor.dtype),
                "shape": list(tensor.shape),
                "stride": list(tensor.stride()),
                "device": str(tensor.device),
                "requires_grad": tensor.requires_grad,
                "numel": tensor.numel(),
                "is_parameter": isinstance(tensor, torch.nn.Parameter),
                "in_state_dict": name in program.state_dict,
            }
            if tensor.numel():
                shared.setdefault(tensor.untyped_storage().data_ptr(), set()).add(name)
        return {"tensors": tensors, "tied": sorted(sorted(names) for names in shared.values() if len(names) > 1)}

    def ops(self) -> dict[str, int]:
        count: dict[str, int] = {}
        for module in self.program.graph_module.modules():
            if isinstance(module, torch.fx.GraphModule):
                for node in module.graph.nodes:
                    if node.op == "call_function":
                        count[str(node.target)] = count.get(str(node.target), 0) + 1
        return dict(sorted(count.items()))

    def symbols(self) -> list[str]:
        found: set[str] = set()
        for node in self.nodes.values():
            for leaf in tree_leaves(node.meta.get("val")):
                sizes = list(leaf.shape) if isinstance(leaf, torch.Tensor) else [leaf]
                for size in sizes:
                    if isinstance(size, torch.SymInt):
                        found |= {str(symbol) for symbol in size.node.expr.free_symbols}
        return sorted(found)

    def example_inputs(self) -> View | None:
        given = self.program.example_inputs
        if given is None:
            return None
        return {"leaves": values(given), "n_args": len(given[0]), "kwargs": list(given[1])}

    def run(self) -> list[View] | None:
        if self.program.example_inputs is None:
            return None
        args, kwargs = self.program.example_inputs
        return values(self.program.module()(*args, **kwargs))


def program_view(path: Path) -> View:
    extra = {"notes.txt": ""} if path.stem == "extra_files" else {}
    view = ProgramView(torch.export.load(str(path), **({"extra_files": extra} if extra else {}))).view()
    return {**view, "extra_files": {key: str(text) for key, text in extra.items()}} if extra else view


def mixed_view(path: Path) -> View:
    from torch.export.pt2_archive._package import load_pt2

    found = load_pt2(str(path))
    return {
        "exported_programs": {name: ProgramView(program).view() for name, program in found.exported_programs.items()},
        "aoti_runners": sorted(found.aoti_runners),
        "extra_files": {key: str(text) for key, text in found.extra_files.items()},
    }


def package_view(path: Path) -> View:
    name = path.name.removesuffix(".aoti.pt2")
    models = {"first": "dim", "second": "static"} if name == "two" else {"model": PACKAGES[name][0]}
    view: View = {"models": {}}
    for part, model in models.items():

        def load(part: str = part) -> Any:
            if name == "two":
                return torch._inductor.package.load_package(str(path), part)
            return torch._inductor.aoti_load_package(str(path))

        def run(model: str = model, load: Callable[[], Any] = load) -> View:
            return ran(load(), model, name)

        def refuse(model: str = model, load: Callable[[], Any] = load) -> View:
            os.environ["AOTI_RUNTIME_CHECK_INPUTS"] = "1"
            return refused(load(), model)

        found = apart(lambda load=load: stated(load()), SECONDS)
        found["run"] = apart(run, SECONDS)
        found["checked"] = apart(refuse, SECONDS) if name in CHECKED else None
        view["models"][part] = found
    view["load_pt2_model_names"] = apart(lambda: runners(path), SECONDS)
    return view


def runners(path: Path) -> list[str]:
    from torch.export.pt2_archive._package import load_pt2

    return sorted(load_pt2(str(path)).aoti_runners)


def constants_of(package: Any) -> list[str]:
    return list((package if hasattr(package, "get_constant_fqns") else package.loader).get_constant_fqns())


def stated(package: Any) -> View:
    return {
        "torch": torch.__version__,
        "get_metadata": tried(lambda: dict(package.get_metadata())),
        "get_constant_fqns": tried(lambda: constants_of(package)),
        "get_call_spec": tried(lambda: list(package.loader.get_call_spec())),
    }


def ran(package: Any, model: str, name: str) -> View:
    """What a call gives; for mutated buffers also what more calls give, beside what the module itself gives."""
    used = case(model)
    view: View = {}
    if name == "weights_out":
        have = {**dict(used.module.named_parameters(remove_duplicate=False)), **dict(used.module.named_buffers())}
        weights = {key: have[key].detach() for key in constants_of(package)}
        view["load_constants"] = tried(lambda: str(package.load_constants(weights, check_full_update=True)))
        if isinstance(view["load_constants"], dict):
            return view

    def first(function: Callable[..., Any]) -> float:
        return float(function(*used.args, **used.kwargs).flatten()[0].detach())

    view["ran_outputs"] = tried(lambda: values(package(*used.args, **used.kwargs)))
    if model.startswith("buffers"):
        view["three_more_calls_first_value"] = tried(lambda: [first(package) for _ in range(3)])
        view["eager_three_more_first_value"] = tried(lambda: [first(used.module) for _ in range(4)][1:])
    return view


def refused(package: Any, model: str) -> View:
    """How calls end whose first tensor is too long, too wide or of another dtype."""
    used = case(model)
    place = next(index for index, given in enumerate(used.args) if isinstance(given, torch.Tensor))
    right = used.args[place]
    other = torch.float32 if right.dtype == torch.float64 else torch.float64

    def call(given: torch.Tensor) -> str:
        args = list(used.args)
        args[place] = given
        return f"{len(values(package(*args, **used.kwargs)))} outputs"

    return {
        "right_inputs": tried(lambda: call(right)),
        "batch_1000": tried(lambda: call(torch.ones(1000, *right.shape[1:], dtype=right.dtype))),
        "last_dim_plus_1": tried(lambda: call(torch.ones(*right.shape[:-1], right.shape[-1] + 1, dtype=right.dtype))),
        "dtype": tried(lambda: call(right.to(other))),
    }


def library_view(path: Path) -> View:
    used = case(BARE[path.parent.name])
    run = torch._export.aot_load(str(path), "cpu")
    return {"torch": torch.__version__, "ran_outputs": tried(lambda: values(run(*used.args, **used.kwargs)))}


def view_of(path: Path) -> View:
    if path.name.endswith(".aoti.pt2"):
        return package_view(path)
    look = library_view if path.suffix == ".so" else mixed_view if path.stem in ("multi", "mixed") else program_view
    found: View = apart(lambda: look(path), SECONDS)
    return found


def main(folder: Path, names: list[str]) -> None:
    os.environ.pop("AOTI_RUNTIME_CHECK_INPUTS", None)
    found = {path.name.removesuffix(".pt2"): path for path in sorted(folder.glob("*.pt2"))}
    found |= {name: folder / name / "model.so" for name in BARE if (folder / name / "model.so").exists()}
    chosen = {name: path for name, path in found.items() if not names or name in names}
    if any(name in BARE or name == "mixed" or name.endswith(".aoti") for name in chosen):
        warm_up()
    for name, path in chosen.items():
        view = view_of(path)
        (folder / f"{name}.view.json").write_text(json.dumps(view, separators=(",", ":")))
        print(f"{name}: {view.get('error', 'seen')}", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
