"""Projects whose files depend on each other in every way there is, and edits of them."""

from __future__ import annotations

import random

EXPORT = """\
import torch
{imports}

class Model(torch.nn.Module):
    def forward(self, x):
        return {body}

def build(size={size}):
    return torch.export.export(Model(), (torch.randn({size}, 8),))

def unused(path):
    program = build()
    torch._inductor.aoti_compile_and_package(program, package_path=path)
    return torch._inductor.aoti_load_package(path)(torch.randn({other}, 8))
{tail}
"""
"""A module with a model, a function that others may call, and one that nobody does."""

SCRIPT = """\
import os
import torch
{imports}

DEVICE = "{device}"

def main():
    program = {made}
    path = torch._inductor.aoti_compile_and_package(program, package_path="{package}")
    print(torch._inductor.aoti_load_package("{package}")(torch.randn({other}, 8)))

if __name__ == "__main__":
    {start}
{tail}
"""
REGISTRY = """\
import torch
{imports}
KEPT = {{"first": {size}}}
MODELS = []

def register(kind):
    MODELS.append(kind)
    return kind

def chosen():
    return MODELS[{index}]() if len(MODELS) > {index} else torch.nn.Linear(8, {size})

def set_size(size):
    global KEPT
    KEPT = {{"first": size}}
{tail}
"""
PLUGIN = """\
import torch
{imports}
{register}

class Plugged(torch.nn.Linear):
    def __init__(self):
        super().__init__(8, {size})
{tail}
"""
OPS = """\
import torch
{imports}

@torch.library.custom_op("{space}::{op}", mutates_args=())
def {op}(x: torch.Tensor) -> torch.Tensor:
    return x.sum({size}) if x.shape[0] > {other} else x.clone()
{tail}
"""
FAKES = """\
import torch
{imports}

def register():
    @torch.library.register_fake("{space}::{op}")
    def _(x):
        return torch.empty_like(x)

{start}
{tail}
"""
LIBRARY = """\
import torch
{imports}
SIZES = [2, {size}]
VALUES = [build(size) for size in SIZES if size > {other}] if "build" in globals() else []

@torch._dynamo.disable
def each(run):
    for size in SIZES:
        run(size)
    return SIZES

class Model(torch.nn.Module):
    LIMIT = {size}

    def forward(self, x):
        for layer in self.layers():
            x = layer(x)
        return self.last(x)

    def layers(self):
        return [lambda x: x * 2, lambda x: x[:self.LIMIT]]

    @property
    def kept(self):
        return {body}

    def last(self, x):
        match x.shape[0]:
            case {other}:
                return x
            case _:
                return {body}

def build(size={size}):
    rows = torch.export.Dim("rows", max={other})

    def inner(n):
        return torch.export.export(Model(), (torch.randn(n, 8),), dynamic_shapes=({{0: rows}},))

    try:
        return inner(size)
    except ValueError:
        return inner({other})

def unused(n):
    with torch.no_grad():
        return each(lambda size: build(n)) and torch.ops.{space}.{op}(torch.randn({other}, 8))
{tail}
"""
"""A module with code of every kind that stands in its places: loops, lambdas, methods, matches."""

KINDS = (EXPORT, SCRIPT, REGISTRY, PLUGIN, OPS, FAKES, LIBRARY, LIBRARY)
NAMES = ("alpha", "beta", "gamma", "delta", "pack/__init__", "pack/inner", "test_omega")
BODIES = ("x.relu()", "x[0] * 2 if x.shape[0] > 2 else x", "torch.ops.lib.first(x)", "x.view(2, 8)")
TAILS = (
    "", "# a comment", "os.environ['TORCH_LOGS'] = 'dynamo'", "torch.set_default_device('cuda')",
    "import os\nos.environ['TORCHINDUCTOR_FREEZING'] = '1'",
    "def test_it():\n    assert build(3)", "chosen = None", "import torch._inductor.config as c\nc.debug = True",
)  # fmt: skip


def text_of(pick: random.Random) -> str:
    """The text of a file that imports some of the others, under names that these may have."""
    imports = []
    for other in pick.sample(NAMES, pick.randrange(3)):
        dotted = other.replace("/__init__", "").replace("/", ".")
        imports.append(pick.choice((
            f"import {dotted}", f"from {dotted} import *", f"from {dotted} import build",
            f"from {dotted} import register", f"from {dotted} import chosen, set_size",
            f"import {dotted} as other\nother.KEPT = {{'first': 3}}",
        )))  # fmt: skip
    return pick.choice(KINDS).format(
        imports="\n".join(imports), body=pick.choice(BODIES), tail=pick.choice(TAILS), size=pick.choice((2, 3, 8)),
        other=pick.choice((2, 4)), index=pick.randrange(2), device=pick.choice(("cpu", "cuda")),
        package=pick.choice(("a.pt2", "b.pt2")), space=pick.choice(("lib", "my")), op=pick.choice(("first", "second")),
        made=pick.choice(("build()", "build(4)", "torch.export.export(chosen(), (torch.randn(2, 8),))", "None")),
        start=pick.choice(("main()", "register()", "set_size(5)", "pass")),
        register=pick.choice(("import alpha\n@alpha.register", "@register", "")),
    )  # fmt: skip


def edited(text: str, pick: random.Random) -> str:
    """The text after an edit, which may break or mend it."""
    lines = text.splitlines()
    at = pick.randrange(len(lines) + 1)
    match pick.randrange(8):
        case 0:
            return "\n".join([*lines[:at], "# changed", *lines[at:]]) + "\n"
        case 1:
            return "\n".join([*lines[:at], *lines[at + 1 :]]) + "\n"
        case 2:
            return text + "\ndef broken(:\n"
        case 3:
            return text.replace("def broken(:", "")
        case 4:
            return text.replace("8", "16", 1)
        case 5 | 6:
            return "# changed above\n" + text
        case _:
            return text_of(pick)
