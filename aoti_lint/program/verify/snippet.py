"""Python that shows a failure: it makes the very inputs the child made."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence

from aoti_lint.program.verify.cases import Case, Leaf
from aoti_lint.program.verify.protocol import Open, Opened
from aoti_lint.program.verify.render import leaves, python
from aoti_lint.program.verify.space import Space
from aoti_lint.quoting.python import Python, dotted, literal


def snippet(space: Space, case: Case, asked: Open, opened: Opened, heap: bool = False) -> str:
    """A script that loads what was loaded and makes the calls of a case."""
    calls = [leaves(space, case, call) for call in case.calls]
    lines = []
    if heap:
        lines += ["# MALLOC_CHECK_=3 LD_PRELOAD=libc_malloc_debug.so.0 makes glibc notice overwritten memory.", ""]
    lines += [*_loading(asked, opened, any(leaf.kind == "example" for call in calls for leaf in call)), ""]
    texts = ["\n".join(_call(call, opened)) for call in calls]
    names: dict[str, str] = {}
    for text in texts:
        names.setdefault(text, f"call_{len(names) + 1}")
    for text, name in names.items():
        lines += ["", f"def {name}(model):", *(f"    {line}" for line in text.splitlines()), ""]
    order = ", ".join(names[text] for text in texts)
    models = ", ".join(f"{literal(role)}: {role}" for role in opened.roles)
    lines += [
        "",
        f"for name, model in {{{models}}}.items():",
        f"    for call in ({order},):",
        "        try:",
        "            with torch.no_grad():",
        "                print(name, call(model))",
        "        except Exception as error:",
        "            print(name, type(error).__name__, error)",
    ]
    return "\n".join(lines) + "\n"


def _loading(asked: Open, opened: Opened, example: bool) -> list[str]:
    scripts = [path for path in asked.ops if path.endswith(".py")]
    lines = ["import sys", ""] if asked.script or scripts else []
    lines += ["import torch", ""]
    lines += [f"torch.ops.load_library({literal(path)})" for path in asked.ops if path not in scripts]
    for path in [*scripts, *([asked.script] if asked.script else [])]:
        folder, name = os.path.split(os.path.abspath(path))
        lines += [f"sys.path.insert(0, {literal(folder)})", _imported(name)]
    if asked.script and asked.function:
        made = f"{_module(asked.script) or 'script'}.{asked.function}()"
        if "module" not in opened.roles:
            lines.append(f"exported = {made}")
        elif opened.leaves and not asked.program:
            lines.append(f"module, *arguments = {made}")
            if example:
                lines.append("example = torch.utils._pytree.tree_leaves(((*arguments, {})[:2]))")
        else:
            lines.append(f"module = {made}")
            lines.append("module = module[0] if isinstance(module, tuple) else module")
    if asked.program:
        lines.append(f"exported = torch.export.load({literal(asked.program)})" if asked.program_model == "model" else
                     "from torch.export.pt2_archive._package import load_pt2")  # fmt: skip
        if asked.program_model != "model":
            model = literal(asked.program_model)
            lines.append(f"exported = load_pt2({literal(asked.program)}).exported_programs[{model}]")
    if "program" in opened.roles:
        lines.append("program = exported.module()")
        if example:
            lines.append("example = torch.utils._pytree.tree_leaves(exported.example_inputs)")
    if asked.package:
        lines.append(_package(asked.package, asked.package_model, asked.device))
    return lines


def _module(path: str) -> Python | None:
    """The name that a script is imported by; None where it is none of Python."""
    return dotted(os.path.splitext(os.path.basename(path))[0].replace(".", "-"))


def _imported(name: str) -> str:
    module = _module(name)
    if module is not None:
        return f"import {module}"
    return f"import importlib\nscript = importlib.import_module({literal(os.path.splitext(name)[0])})"


def _package(path: str, model: str, device: str | None) -> str:
    if not path.endswith(".pt2"):
        return f"package = torch._export.aot_load({literal(os.path.abspath(path))}, {literal(device or 'cpu')})"
    if model != "model":
        given = f"{literal(path)}, {literal(model)}"
        return f"from torch._inductor.package import load_package\npackage = load_package({given})"
    return f"package = torch._inductor.aoti_load_package({literal(path)})"


def _call(call: Sequence[Leaf], opened: Opened) -> list[str]:
    """The body of a function that calls `model`."""
    names: list[str] = []
    lines: list[str] = []
    for leaf in call:
        if leaf.kind == "value":
            names.append(python(leaf))
            continue
        name = re.sub(r"\W+", "_", leaf.path).strip("_") or "value"
        while name in names or name == "model" or not name.isidentifier():
            name += "_"
        names.append(name)
        lines.append(f"{name} = {python(leaf)}")
    structure = opened.structure or ""
    if structure.count("*") == len(names) and not re.search(r"[A-Za-z_]\w*\(", structure):
        parts = structure.split("*")
        text = "".join(part + name for part, name in zip(parts, [*names, ""], strict=True))
        return [*lines, f"return model{text}"]
    spec = "exported.call_spec.in_spec"
    if "program" not in opened.roles:
        spec = "torch.utils._pytree.treespec_loads(package.loader.get_call_spec()[0])"
    lines.append(f"args, kwargs = torch.utils._pytree.tree_unflatten([{', '.join(names)}], {spec})")
    return [*lines, "return model(*args, **kwargs)"]
