"""Whole scripts: a model, example inputs, an export, and what is done with the program."""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.random_scripts.draw import Draw, Scope, indented
from tests.random_scripts.inputs import Maker, Signature, Tensor
from tests.random_scripts.models import Model, model
from tests.random_scripts.ops import Op
from tests.random_scripts.shapes import Shapes, shapes
from tests.random_scripts.surgery import surgery
from tests.random_scripts.uses import Uses


@dataclass
class Main:
    """The part of a script that runs."""

    draw: Draw
    model: Model
    scope: Scope
    lines: list[str] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)
    device: str = ""
    """The variable of each example input, by its parameter."""

    @property
    def signature(self) -> Signature:
        return self.model.signature


def script(seed: int, number: int, packages: int = 200) -> str:
    """The script of a number; one in `packages` compiles a package."""
    draw = Draw(seed, number)
    op = Op(draw) if draw.chance(0.15) else None
    made = model(draw, draw.pick("Model", "Net", "MyModule", "Encoder", "M"), op)
    head = _imports(draw)
    main = Main(draw, made, Scope(draw))
    constants, parser = _numbers(main)
    _build(main, anywhere=op is None)
    if draw.chance(0.12):
        names = ", ".join(one.name for one in main.signature.parameters)
        main.lines += surgery(draw, main.signature.header, names)
    _examples(main)
    open_ = shapes(draw, main.signature, main.names, main.scope)
    main.lines += [line.replace("MODEL", "model") for line in open_.before]
    wrapper = _export(main, open_)
    uses = Uses(draw, made, open_.open, main.names, main.scope, "ep", main.device)
    main.lines += uses.lines(packages=draw.number(1, packages) == 1)
    body = [*parser, *main.lines]
    classes = [*(op.lines() if op and op.called else []), *made.lines]
    if not wrapper and draw.chance(0.04):
        # All of it in a function, the classes too.
        body, classes = [*classes, "", *body], []
    return "\n".join([*head, "", *constants, "", *classes, "", *wrapper, "", *_placed(draw, body), ""])


def _imports(draw: Draw) -> list[str]:
    lines = [
        "import torch",
        draw.pick("import torch.nn as nn", "from torch import nn"),
        draw.pick("import torch.nn.functional as F", "from torch.nn import functional as F"),
        draw.pick(
            "from torch.export import Dim, ShapesCollection, export",
            "from torch.export import Dim, ShapesCollection\nfrom torch.export import export",
        ),
        "import copy, io, os, sys, tempfile",
        "from collections import OrderedDict",
        "from pathlib import Path",
        "from typing import Optional",
        "import argparse, contextlib, functools, warnings",
        "from dataclasses import dataclass",
    ]
    if draw.chance(0.3):
        lines = [*lines[4:], *lines[:4]]
    if draw.chance(0.05):
        lines.insert(0, "from __future__ import annotations")
    if draw.chance(0.05):
        lines.append(
            draw.pick(
                "warnings.filterwarnings('ignore')",
                "torch.set_grad_enabled(False)",
                "torch.backends.cudnn.benchmark = True",
                "torch.set_float32_matmul_precision('high')",
                "torch._dynamo.config.cache_size_limit = 16",
                "torch.set_num_threads(1)",
                "torch._inductor.config.max_autotune = False",
                "torch._dynamo.config.suppress_errors = False",
                'os.environ["TORCHINDUCTOR_CACHE_DIR"] = tempfile.mkdtemp()',
                "torch._dynamo.reset()",
                'os.environ.setdefault("OMP_NUM_THREADS", "1")',
                "torch.manual_seed(0)",
            )
        )
    return lines


def _numbers(main: Main) -> tuple[list[str], list[str]]:
    """The names of sizes: lines before the classes, and lines at the start of what runs."""
    draw, scope = main.draw, main.scope
    values = {
        f"{ {'b': 'batch', 't': 'seq', 's': 'rows', 'h': 'height', 'w': 'width'}[key] }": size
        for key, size in main.signature.sizes.items()
    }
    wide = next((value for _, value in main.model.arguments), 0)
    if wide:
        values["features"] = wide
    used = {name: value for name, value in values.items() if draw.chance(0.5)}
    if not used:
        return [], []
    match draw.weighted(
        (4, "none"),
        (3, "constants"),
        (1, "dict"),
        (1, "dataclass"),
        (1.5, "argparse"),
        (1, "locals"),
        (0.5, "environ"),
        (0.5, "class"),
    ):
        case "constants":
            for name, value in used.items():
                scope.add(name.upper(), value)
            if draw.chance(0.3):
                return [f"{', '.join(map(str.upper, used))} = {', '.join(map(str, used.values()))}"], []
            return [f"{name.upper()} = {value}" for name, value in used.items()], []
        case "dict":
            for name, value in used.items():
                scope.add(f'cfg["{name}"]', value)
            return ["cfg = {" + ", ".join(f'"{name}": {value}' for name, value in used.items()) + "}"], []
        case "dataclass":
            for name, value in used.items():
                scope.add(f"config.{name}", value)
            lines = ["@dataclass", "class Config:", *(f"    {name}: int = {value}" for name, value in used.items())]
            return [*lines, ""], ["config = Config()"]
        case "class":
            for name, value in used.items():
                scope.add(f"Settings.{name}", value)
            return ["class Settings:", *(f"    {name} = {value}" for name, value in used.items()), ""], []
        case "argparse":
            for name, value in used.items():
                scope.add(f"args.{name}", value)
            adds = [f'parser.add_argument("--{name}", type=int, default={value})' for name, value in used.items()]
            end = draw.pick(
                "args = parser.parse_args()", "args = parser.parse_args([])", "args, _ = parser.parse_known_args()"
            )
            return [], ["parser = argparse.ArgumentParser()", *adds, end]
        case "locals":
            for name, value in used.items():
                scope.add(name, value)
            return [], [f"{name} = {value}" for name, value in used.items()]
        case "environ":
            for name, value in used.items():
                scope.add(name, value)
            return [], [
                f'{name} = int(os.environ.get("{name.upper()}_SIZE", "{value}"))' for name, value in used.items()
            ]
    return [], []


def _build(main: Main, *, anywhere: bool) -> None:
    """The model, on any device if it can be `anywhere`."""
    draw, made = main.draw, main.model
    if made.is_function:
        main.lines += [
            "class Wrapped(nn.Module):",
            f"    def forward(self, {made.signature.header}):",
            f"        return {made.name}({', '.join(one.name for one in made.signature.parameters)})",
            "",
            "model = Wrapped()",
        ]
        return
    dtype = next(
        (
            one.value.dtype
            for one in made.signature.parameters
            if isinstance(one.value, Tensor) and one.value.dtype in ("float64", "bfloat16", "float16")
        ),
        "",
    )
    named = draw.chance(0.3)
    given = ", ".join(
        f"{one}={main.scope.text(value)}" if named else main.scope.text(value) for one, value in made.arguments
    )
    text = f"{made.name}({given})"
    if draw.chance(0.92):
        text += ".eval()"
    if dtype and draw.chance(0.9):
        text += f".to(torch.{dtype})"
    match draw.number(0, 14):
        case 0 if anywhere:
            main.device = "device"
            main.lines += [
                'device = torch.device("cuda" if torch.cuda.is_available() else "cpu")',
                f"model = {text}.to(device)",
            ]
        case 1:
            main.lines += [f"model = {text.replace('.eval()', '')}", "model.eval()"]
        case 2:
            main.lines += [f"model = {text}.requires_grad_(False)"]
        case 3:
            main.lines += [f"model = {text}", "for p in model.parameters():", "    p.requires_grad = False"]
        case 4:
            main.lines += [f"model = {text}", "model.load_state_dict(model.state_dict())"]
        case 5:
            main.lines += ["def build_model():", f"    return {text}", "", "model = build_model()"]
        case 6:
            main.lines += [f"model = {text}.to('cpu')"]
        case 7:
            main.lines += [f"model = {text}", "model = copy.deepcopy(model)"]
        case _:
            main.lines += [f"model = {text}"]


def _examples(main: Main) -> None:
    """The example inputs, each in a variable."""
    maker = Maker(main.draw, main.scope)
    maker.device = main.device
    given = [one for one in main.signature.parameters if one.given != "never"]
    if main.draw.chance(0.12):
        # A function makes them.
        key = main.draw.one(sorted(main.signature.sizes))
        size = main.signature.sizes[key]
        inside = Maker(main.draw, Scope(main.draw, [("count", size)]))
        inside.device = main.device
        made = ", ".join(inside.value(one.value, main.signature.sizes) for one in given)
        names = main.names
        names.update({one.name: one.name for one in given})
        comma = "," if len(given) == 1 else ""
        default = main.draw.pick("", f"={size}")
        main.lines += [
            f"def make_inputs(count{default}):",
            f"    return {made}{comma}",
            "",
            f"{', '.join(one.name for one in given)}{comma} = make_inputs({'' if default else main.scope.text(size)})",
        ]
        return
    for one in given:
        name = (
            one.name
            if main.draw.chance(0.6)
            else main.draw.pick(f"example_{one.name}", f"{one.name}_ex", f"sample_{one.name}")
        )
        main.names[one.name] = name
        main.lines.append(f"{name} = {maker.value(one.value, main.signature.sizes)}")


def _export(main: Main, open_: Shapes) -> list[str]:
    """The call of export, and the function that wraps it, if one does."""
    draw, names = main.draw, main.names
    inside = [names[one.name] for one in main.signature.positional]
    args = f"({', '.join(inside)}{',' if len(inside) == 1 else ''})"
    if draw.chance(0.3):
        variable = draw.pick("example_args", "inputs_", "example_inputs")
        main.lines.append(f"{variable} = {args}")
        args = variable
    parts = ["model", draw.weighted((5, args), (1, f"args={args}"))]
    if main.signature.named:
        pairs = ", ".join(f'"{one.name}": {names[one.name]}' for one in main.signature.named)
        parts.append(
            draw.pick(
                "kwargs={" + pairs + "}",
                "kwargs={" + pairs + "}",
                "kwargs=dict(" + ", ".join(f"{one.name}={names[one.name]}" for one in main.signature.named) + ")",
            )
        )
    if open_.text is not None:
        parts.append(f"dynamic_shapes={open_.text.replace('MODEL', 'model')}")
    if draw.chance(0.25):
        parts.append(f"strict={draw.pick('True', 'False', 'False')}")
    call = ", ".join(parts)
    function = draw.pick("export", "torch.export.export", "torch.export.export")
    if draw.chance(0.08):
        line = f"export_model({call})"
        main.lines.append(f"ep = {line}")
        return draw.pick(
            ["def export_model(module, args, **options):", f"    return {function}(module, args, **options)", ""],
            [
                "def export_model(module, args, kwargs=None, dynamic_shapes=None, strict=False):",
                "    with torch.no_grad():",
                f"        return {function}(module, args, kwargs, dynamic_shapes=dynamic_shapes, strict=strict)",
                "",
            ],
            [
                f"export_model = functools.partial({function}, strict=False)"
                if "strict" not in call
                else f"export_model = {function}",
                "",
            ],
            [
                "@torch.no_grad()",
                "def export_model(*args, **kwargs):",
                f"    program = {function}(*args, **kwargs)",
                "    return program",
                "",
            ],
        )
    match draw.number(0, 18):
        case 4:
            options = [part for part in parts[2:] if "=" in part]
            pairs = ", ".join(options)
            main.lines += [f"options = dict({pairs})", f"ep = {function}({', '.join(parts[:2])}, **options)"]
        case 5 if open_.text is not None:
            main.lines += [
                "try:",
                f"    ep = {function}({call})",
                "except Exception:",
                f"    ep = {function}({', '.join(part for part in parts if not part.startswith('dynamic_shapes'))})",
            ]
        case 6 if "strict" not in call:
            main.lines += [
                f"for strict in {draw.pick('(False, True)', '[True, False]', '(False,)')}:",
                f"    ep = {function}({call}, strict=strict)",
            ]
        case 7:
            kept = [part for part in parts if not part.startswith("dynamic_shapes")]
            flag = draw.pick("True", "False", 'os.environ.get("DYNAMIC", "1") == "1"', "len(sys.argv) < 2")
            main.lines += [
                f"dynamic = {flag}",
                "if dynamic:",
                f"    ep = {function}({call})",
                "else:",
                f"    ep = {function}({', '.join(kept)})",
            ]
        case 8:
            main.lines += [
                "class Exporter:",
                "    def __init__(self, module, **options):",
                "        self.module = module",
                "        self.options = options",
                "",
                "    def run(self, *args, **kwargs):",
                f"        return {function}(self.module, args, kwargs, **self.options)",
                "",
            ]
            options = [part for part in parts[2:] if not part.startswith("kwargs")]
            named = ", ".join(f"{one.name}={names[one.name]}" for one in main.signature.named)
            given = ", ".join([*inside, *([named] if named else [])])
            main.lines.append(f"ep = Exporter({', '.join(['model', *options])}).run({given})")
        case 9 if inside:
            main.lines += ["programs = {}", f"programs['a'] = {function}({call})", "ep = programs['a']"]
        case 10:
            main.lines += ["exporter = getattr(torch.export, 'export')", f"ep = exporter({call})"]
        case 0:
            main.lines += ["with torch.no_grad():", f"    ep = {function}({call})"]
        case 1:
            main.lines += ["with torch.inference_mode():", f"    ep = {function}({call})"]
        case 2:
            main.lines += [
                "try:",
                f"    ep = {function}({call})",
                "except Exception as error:",
                "    print('export failed:', type(error).__name__)",
                "    raise",
            ]
        case 3:
            main.lines += [f"ep: torch.export.ExportedProgram = {function}({call})"]
        case _:
            main.lines.append(f"ep = {function}({call})")
    return []


def _placed(draw: Draw, lines: list[str]) -> list[str]:
    """The part that runs, at the top level or in functions."""
    match draw.weighted((5, "top"), (3, "main"), (1, "guard"), (0.5, "test")):
        case "main":
            return ["def main():", *indented(lines), "", "if __name__ == '__main__':", "    main()"]
        case "guard":
            return ['if __name__ == "__main__":', *indented(lines)]
        case "test":
            return ["def test_export():", *indented(lines), "", "test_export()"]
    return lines
