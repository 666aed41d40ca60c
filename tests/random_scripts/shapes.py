"""What scripts give as `dynamic_shapes`, in all its forms."""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.random_scripts.draw import Draw, Scope
from tests.random_scripts.inputs import Group, Maker, Parameter, Plain, Signature, Tensor

NAMES = {
    "b": ("batch", "bs", "N", "batch_size"),
    "t": ("seq", "length", "T", "seq_len"),
    "s": ("rows", "other", "S"),
    "h": ("height", "H"),
    "w": ("width", "W"),
}


@dataclass
class Shapes:
    """Lines before the export, the text of the argument (None: none), and which sizes are open, from where to where."""

    before: list[str] = field(default_factory=list)
    text: str | None = None
    open: dict[str, tuple[int, int, int]] = field(default_factory=dict)
    """Of each open size, the least, the most, and what it is a multiple of."""


def shapes(draw: Draw, signature: Signature, names: dict[str, str], scope: Scope) -> Shapes:
    """What is given for a model; `names` are the variables that hold its example inputs."""
    keys = sorted({key for one in signature.parameters if one.given != "never" for key in _keys(one)})
    if not keys or draw.chance(0.25):
        made = Shapes()
        if draw.chance(0.1):
            made.text = draw.pick("None", "None", "{}" if not signature.parameters else "None")
        return made
    made = Shapes()
    chosen = draw.some(keys, 1, len(keys))
    marks = {key: _mark(draw, key, signature.sizes[key], made) for key in chosen}
    given = [one for one in signature.parameters if one.given != "never"]
    if draw.chance(0.04):
        marks.pop(draw.one(sorted(marks)))
    writer = _Writer(draw, marks)
    tensors = [one for one in given if isinstance(one.value, Tensor) and one.name in names]
    if draw.chance(0.06) and len(tensors) == len(given):
        made.before.append(f"shapes = {draw.pick('torch.export.ShapesCollection()', 'ShapesCollection()')}")
        for one in tensors:
            assert isinstance(one.value, Tensor)
            entry = writer.tensor(one.value)
            if entry != "None":
                made.before.append(f"shapes[{names[one.name]}] = {entry}")
        made.text = draw.pick(
            "shapes", "shapes", f"shapes.dynamic_shapes(MODEL, ({', '.join(names[one.name] for one in given)},))"
        )
    elif draw.chance(0.04) and len(given) == 1 and isinstance(given[0].value, Tensor):
        maker = Maker(draw, scope)
        other = {key: size + (2 if key in marks else 0) for key, size in signature.sizes.items()}
        made.before += [
            "extra = torch.export.AdditionalInputs()",
            f"extra.add(({maker.value(given[0].value, other)},))",
        ]
        made.text = "extra"
    else:
        made.text = _whole(draw, writer, given)
    if draw.chance(0.15) and made.text and made.text.startswith("{"):
        # Written piece by piece, or worked on.
        name = draw.pick("dynamic_shapes", "spec")
        pairs = [(one.name, writer.parameter(one)) for one in given]
        made.before += draw.pick(
            [f"{name} = {{}}", *(f'{name}["{key}"] = {text}' for key, text in pairs)],
            [f"{name} = {{{', '.join(f'{key!r}: None' for key, _ in pairs)}}}",
                f"{name}.update({{{', '.join(f'{key!r}: {text}' for key, text in pairs)}}})"],
            [f"{name} = {{name: spec for name, spec in [{', '.join(f'({key!r}, {text})' for key, text in pairs)}]}}"],
            [f"{name} = dict(zip({[key for key, _ in pairs]}, [{', '.join(text for _, text in pairs)}]))"],
            [f"{name} = {made.text}", f"{name} = {{key: value for key, value in {name}.items()}}"],
            [f"{name} = {made.text}", f"{name} = copy.copy({name})"],
            [f"base = {made.text}", f"{name} = {{**base}}"],
            [f"{name} = {made.text} if len(sys.argv) < 5 else None"],
            ["def make_shapes():", f"    return {made.text}", "", f"{name} = make_shapes()"],
            [f"{name} = {{}}", f"{name} |= {made.text}"],
        )  # fmt: skip
        made.text = name
    elif draw.chance(0.3) and made.text and not made.text.startswith(("shapes", "extra")):
        name = draw.pick("dynamic_shapes", "shapes", "dyn", "spec")
        made.before.append(f"{name} = {made.text}")
        made.text = name
    return made


def _keys(parameter: Parameter) -> list[str]:
    match parameter.value:
        case Tensor(dims):
            return [one for one in dims if isinstance(one, str)]
        case Group(items=items):
            return [one for item in items for one in item.dims if isinstance(one, str)]
        case Plain():
            return []


def _mark(draw: Draw, key: str, size: int, made: Shapes) -> str:
    """What stands for an open size, and the line that defines it."""
    kind = draw.weighted(
        (6, "Dim"), (3, "ranged"), (3, "AUTO"), (2, "DYNAMIC"), (0.5, "STATIC"), (0.5, "derived"), (0.3, "int")
    )
    whole = draw.pick("Dim", "Dim", "torch.export.Dim")
    low, high, step = 0, 1 << 20, 1
    if kind in ("AUTO", "DYNAMIC"):
        made.open[key] = 2, high, 1
        bounds = draw.weighted((8, ""), (1, f"(min={draw.pick(1, 2)}, max={draw.pick(64, 128)})"))
        return f"{whole}.{kind}{bounds}"
    if kind == "STATIC":
        return f"{whole}.STATIC"
    if kind == "int":
        return str(size)
    name = draw.one(NAMES[key])
    more = ""
    if kind == "ranged":
        low = draw.pick(0, 1, 1, 2, 2, 4)
        high = draw.pick(16, 32, 64, 1024)
        more = draw.weighted((3, f", min={low}, max={high}"), (2, f", max={high}"), (1, f", min={low}"))
        low, high = (low if "min" in more else 0), (high if "max" in more else 1 << 20)
    if kind == "derived" and size % 2 == 0:
        made.before.append(f'{name}_half = {whole}("{name}_half"{more})')
        made.open[key] = low * 2, high * 2, 2
        return draw.pick(f"2 * {name}_half", f"{name}_half * 2")
    variable = draw.pick(name, f"{name}_dim", "dim_" + name, f"{name}_dim")
    made.before.append(f'{variable} = {whole}("{name}"{more})')
    made.open[key] = low, high, step
    return variable


@dataclass
class _Writer:
    """Writes the entries of inputs."""

    draw: Draw
    marks: dict[str, str]

    def tensor(self, tensor: Tensor) -> str:
        draw = self.draw
        entries = [self.marks.get(one) if isinstance(one, str) else None for one in tensor.dims]
        if not any(entries):
            return draw.weighted((4, "None"), (1, "{}"))
        if draw.chance(0.02):
            entries = entries[:-1]
        match draw.weighted((6, "dict"), (1, "tuple"), (1, "list")):
            case "dict":
                every = draw.chance(0.08)
                pairs = [f"{index}: {one}" for index, one in enumerate(entries) if one or every]
                return "{" + ", ".join(pairs) + "}"
            case "tuple":
                return "(" + ", ".join(map(str, entries)) + ("," if len(entries) == 1 else "") + ")"
            case _:
                return "[" + ", ".join(map(str, entries)) + "]"

    def parameter(self, one: Parameter) -> str:
        match one.value:
            case Tensor():
                return self.tensor(one.value)
            case Plain():
                return "None"
            case Group(kind="dict", items=items, keys=keys):
                pairs = zip(keys, items, strict=True)
                return "{" + ", ".join(f'"{key}": {self.tensor(item)}' for key, item in pairs) + "}"
            case Group(kind=kind, items=items):
                inside = ", ".join(map(self.tensor, items))
                return f"[{inside}]" if kind == "list" else f"({inside},)" if len(items) == 1 else f"({inside})"


def _whole(draw: Draw, writer: _Writer, given: list[Parameter]) -> str:
    plain = all(one.given == "position" for one in given)
    if plain and draw.chance(0.35):
        inside = ", ".join(map(writer.parameter, given))
        return f"[{inside}]" if draw.chance(0.15) else f"({inside}{',' if len(given) == 1 else ''})"
    pairs = [(one.name, writer.parameter(one)) for one in given]
    if draw.chance(0.02):
        pairs = [(draw.pick("input", "args", name), text) for name, text in pairs]
    if draw.chance(0.02) and len(pairs) > 1:
        pairs.pop()
    names = [name for name, _ in pairs]
    if draw.chance(0.06) and all(map(str.isidentifier, names)) and len({*names}) == len(names):
        return "dict(" + ", ".join(f"{name}={text}" for name, text in pairs) + ")"
    return "{" + ", ".join(f'"{name}": {text}' for name, text in pairs) + "}"
