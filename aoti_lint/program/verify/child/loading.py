"""In the child: the models, and how to put them back to how they were."""

from __future__ import annotations

import importlib.util
import logging
import os
import sys
from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch.utils import _pytree as pytree

from aoti_lint.program.errors import Unreadable
from aoti_lint.program.treespec import Tree, is_call, leaf_paths, parse_treespec, signature


class Reference:
    """A module that runs in Python: that of a program, or the one it was made from."""

    def __init__(self, module: Any) -> None:
        self.module = module
        self._saved = {name: tensor.detach().clone() for name, tensor in self._tensors().items()}

    def _tensors(self) -> dict[str, Any]:
        return {**dict(self.module.named_buffers()), **dict(self.module.named_parameters())}

    def reset(self) -> None:
        """Put every parameter and buffer back."""
        with torch.no_grad():
            for name, tensor in self._tensors().items():
                saved = self._saved.get(name)
                if saved is not None and tensor.shape == saved.shape:
                    tensor.copy_(saved)

    def changed(self) -> list[str]:
        """The buffers that are not as they were loaded."""
        now = dict(self.module.named_buffers())
        return [name for name, tensor in now.items() if name in self._saved and not same(tensor, self._saved[name])]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.module(*args, **kwargs)


class Package:
    """A compiled model. Its buffers live in it; only loading it again brings back those of the file."""

    def __init__(self, path: str, model: str, device: str | None) -> None:
        self._load = _loader(path, model, device)
        self._loaded = self._load()
        self.stateful = False

    def reset(self) -> None:
        """Load it again if calls change its buffers."""
        if self.stateful:
            self._loaded = self._load()

    def spec(self) -> Any:
        """How its arguments are nested."""
        return pytree.treespec_loads(self._loaded.loader.get_call_spec()[0])

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._loaded(*args, **kwargs)


def _loader(path: str, model: str, device: str | None) -> Callable[[], Any]:
    """What loads a package or a library anew each time.

    Sources: `torch/_inductor/__init__.py` (`aoti_load_package`, 2.6–2.15), `torch/_inductor/package/package.py`
    (`load_package`, 2.5–2.15; only it takes the name of a model), `torch/_export/__init__.py` (`aot_load`).
    """
    if not path.endswith(".pt2"):
        return lambda: torch._export.aot_load(os.path.abspath(path), device or "cpu")
    import torch._inductor

    load: Any = getattr(torch._inductor, "aoti_load_package", None)
    if load is None or model != "model":
        from torch._inductor.package import load_package

        load = load_package
    options: dict[str, Any] = {} if model == "model" else {"model_name": model}
    if device and ":" in device:
        options["device_index"] = int(device.rpartition(":")[2])
    return lambda: load(path, **options)


class Opened:
    """All that was asked for: `models`, each made from the one before, and `spec`, how their arguments are nested."""

    def __init__(self, asked: Mapping[str, Any], stage: Callable[[str], None]) -> None:
        self.models: dict[str, Reference | Package] = {}
        self.spec: Any = None
        self.example: list[Any] | None = None
        self.saved = False
        self.unguarded: Reference | None = None
        self.mutates = True
        self._names: list[str] | None = None
        device = asked["device"]
        for path in asked["ops"]:
            stage(f"loading {path}")
            load_ops(path)
        if asked["script"]:
            stage(f"running {asked['script']}")
            self._script(asked)
        if asked["program"]:
            stage(f"loading {asked['program']}")
            self._program(load_program(asked["program"], asked["program_model"]), device)
        if asked["package"]:
            stage(f"loading {asked['package']}")
            package = Package(asked["package"], asked["package_model"], device)
            self.models["package"] = package
            if self.spec is None:
                self.spec = package.spec()

    def _script(self, asked: Mapping[str, Any]) -> None:
        made = getattr(load_script(asked["script"]), asked["function"])()
        if isinstance(made, torch.export.ExportedProgram):
            if asked["save_to"]:
                torch.export.save(made, asked["save_to"])
                self.saved = True
            self._program(made, asked["device"])
            return
        parts = made if isinstance(made, tuple) else (made,)
        if not isinstance(parts[0], torch.nn.Module) or len(parts) > 3:
            raise Unreadable(
                f"{asked['function']} returned {type(made).__name__}; it may return an ExportedProgram, an nn.Module, "
                "(module, args) or (module, args, kwargs)"
            )
        module, args, kwargs = parts[0], parts[1] if len(parts) > 1 else (), parts[2] if len(parts) > 2 else {}
        if not isinstance(args, tuple) or not isinstance(kwargs, dict):
            raise Unreadable(f"{asked['function']}: args must be a tuple and kwargs a dict, as for torch.export.export")
        self.models["module"] = Reference(module.to(asked["device"]) if asked["device"] else module)
        if len(parts) > 1:
            self.example, self.spec = pytree.tree_flatten((args, kwargs))
            import inspect

            self._names = list(inspect.signature(module.forward).parameters)

    def _program(self, program: Any, device: str | None) -> None:
        if device:
            from torch.export.passes import move_to_device_pass

            program = move_to_device_pass(program, device)
        self.models["program"] = Reference(program.module())
        self.mutates = mutates(program)
        try:
            # Since 2.9; before, the checks were a hook of the module.
            self.unguarded = Reference(program.module(check_guards=False))
            self.unguarded.module._forward_pre_hooks.clear()
        except TypeError:
            pass
        self.spec = program.call_spec.in_spec
        self._names = None
        if program.example_inputs is not None:
            example, spec = pytree.tree_flatten(program.example_inputs)
            self.example = example if spec.num_leaves == self.spec.num_leaves else None

    def describe(self) -> dict[str, Any]:
        """What the parent wants to know, as `protocol.Opened`."""
        tree = self._tree()
        call = tree is not None and is_call(tree)
        return {
            "torch": torch.__version__,
            "roles": list(self.models),
            "structure": signature(tree) if tree is not None and call else None,
            "arguments": self.spec.num_leaves if self.spec is not None else 0,
            "paths": leaf_paths(tree, self._names) if tree is not None and call else [],
            "leaves": [_leaf(value) for value in self.example or ()],
            "training": self._training(),
            "saved": self.saved,
            "mutates": self.mutates,
        }

    def _tree(self) -> Tree | None:
        try:
            return parse_treespec(pytree.treespec_dumps(self.spec))
        except (Unreadable, NotImplementedError, TypeError, AttributeError):
            return None

    def _training(self) -> list[str]:
        """Layers of the module that a training mode makes behave otherwise."""
        module = self.models.get("module")
        if not isinstance(module, Reference):
            return []
        kinds = (torch.nn.modules.dropout._DropoutNd, torch.nn.modules.batchnorm._BatchNorm)
        return [name or type(part).__name__ for name, part in module.module.named_modules()
                if part.training and isinstance(part, kinds)]  # fmt: skip


def mutates(program: Any) -> bool:
    """Whether a program says that it changes an input or a buffer."""
    signature = program.graph_signature
    if signature.buffers_to_mutate or signature.user_inputs_to_mutate:
        return True
    graphs = (part.graph for part in program.graph_module.modules() if isinstance(part, torch.fx.GraphModule))
    return any(_writes(node) for graph in graphs for node in graph.nodes if node.op == "call_function")


def _writes(node: Any) -> bool:
    schema = getattr(node.target, "_schema", None)
    if schema is None:
        return False
    # Their schemas leave out that they write the running statistics in training.
    running = schema.name in ("aten::batch_norm", "aten::instance_norm") and node.args[3] is not None
    return bool(schema.is_mutable or (running and node.args[5]))


def same(left: Any, right: Any) -> bool:
    """Whether two tensors hold the same, NaN included."""
    return left.shape == right.shape and left.dtype == right.dtype and bool(
        torch.equal(left, right) or torch.allclose(_wide(left), _wide(right), rtol=0, atol=0, equal_nan=True)
    )  # fmt: skip


def _wide(tensor: Any) -> Any:
    return tensor.to(torch.complex128 if tensor.is_complex() else torch.float64)


def load_ops(path: str) -> None:
    """Run what defines custom operators: a Python file or a library."""
    if path.endswith(".py"):
        load_script(path)
    else:
        torch.ops.load_library(path)


def load_script(path: str) -> Any:
    """A Python file as a module. The same file is run once."""
    name = os.path.splitext(os.path.basename(path))[0]
    known = sys.modules.get(name)
    if known is not None and getattr(known, "__file__", None) == os.path.abspath(path):
        return known
    sys.path.insert(0, os.path.dirname(os.path.abspath(path)))
    spec = importlib.util.spec_from_file_location(name, os.path.abspath(path))
    if spec is None or spec.loader is None:
        raise Unreadable(f"{path} is no Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except ModuleNotFoundError as error:
        raise Unreadable(
            f"{path}: there is no module {error.name}, which it imports: it belongs beside the file, or on PYTHONPATH"
        ) from error
    return module


def load_program(path: str, model: str) -> Any:
    """One program of an archive. This unpickles what the archive holds pickled.

    Raises `Unreadable` with what torch itself only logs.
    """
    if model == "model":
        heard = _Heard()
        log = logging.getLogger("torch.export")
        log.addHandler(heard)
        try:
            return torch.export.load(path)
        except RuntimeError:
            if heard.error is None:
                raise
            raise Unreadable(f"torch cannot load {path}: {_said(heard.error)}") from heard.error
        finally:
            log.removeHandler(heard)
    from torch.export.pt2_archive._package import load_pt2

    return load_pt2(path).exported_programs[model]


class _Heard(logging.Handler):
    """Keeps the error that torch logs before it raises another one, which says nothing."""

    def __init__(self) -> None:
        super().__init__()
        self.error: BaseException | None = None

    def emit(self, record: logging.LogRecord) -> None:
        """Keep the error of the first record that has one."""
        if self.error is None and record.exc_info is not None:
            self.error = record.exc_info[1]


def _said(error: BaseException) -> str:
    text = str(error).strip().rstrip(".") or type(error).__name__
    if "registered" in text:
        text += "; --ops can name a Python file that imports what registers it"
    return text


def _leaf(value: Any) -> dict[str, Any]:
    if isinstance(value, torch.Tensor):
        whole = not value.is_floating_point() and not value.is_complex() and value.dtype != torch.bool
        high = int(value.max()) if whole and value.numel() else None
        dtype = str(value.dtype).removeprefix("torch.")
        return {"kind": "tensor", "dtype": dtype, "shape": list(value.shape), "high": high}
    if value is None or isinstance(value, bool | int | float | str):
        return {"kind": "value", "value": value}
    return {"kind": "object"}
