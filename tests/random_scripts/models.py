"""Whole models: classes with what they take."""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.random_scripts.body import Body
from tests.random_scripts.draw import Draw, indented
from tests.random_scripts.inputs import Group, Parameter, Plain, Signature, Size, Tensor
from tests.random_scripts.ops import Op
from tests.random_scripts.steps import walk


@dataclass
class Model:
    """The lines of a model, the arguments of its class, and what it takes."""

    lines: list[str]
    name: str
    arguments: list[tuple[str, int]]
    signature: Signature
    is_function: bool = False
    sizes: dict[str, int] = field(default_factory=dict)


def model(draw: Draw, name: str, op: Op | None) -> Model:
    """A model; one that calls the operator if there is one."""
    start = draw.weighted(
        (4, _rows),
        (4, _sequence),
        (3, _images),
        (2, _ids),
        (1, _signal),
        (3, _two),
        (1.5, _mapping),
        (1.5, _pair),
        (2.5, _optional),
        (0.7, _matrix),
    )
    body = Body(draw, [])
    body.sizes = {
        "b": draw.pick(2, 2, 3, 4, 8, 1),
        "t": draw.pick(2, 3, 5, 6, 8),
        "s": draw.pick(3, 4, 7),
        "h": draw.pick(6, 8, 10),
        "w": draw.pick(6, 8, 12),
    }
    parameters = start(body)
    wide = body.last or draw.pick(4, 8)
    arguments = [(draw.pick("dim", "hidden", "features", "size", "n"), wide)] if draw.chance(0.6) else []
    for argument, value in arguments:
        body.in_init.add(argument, value)
        if draw.chance(0.6):
            body.init.append(f"self.{argument} = {argument}")
            body.in_forward.add(f"self.{argument}", value)
    walk(body, draw.pick(1, 1, 2, 2, 3, 4))
    if draw.chance(0.15) and body.last and body.float_:
        _block(body)
    if op is not None and body.float_:
        op.apply(body)
    walk(body, draw.pick(0, 0, 1, 2))
    result = _result(body)
    signature = Signature(parameters, body.sizes)
    if not body.init and draw.chance(0.4):
        text = [*body.helpers, "", f"def apply_{name.lower()}({signature.header}):", *indented([*body.forward, result])]
        if not any("self." in line for line in text):
            return Model(text, f"apply_{name.lower()}", [], signature, is_function=True)
    return Model(_written(body, name, arguments, signature, result), name, arguments, signature)


def _written(body: Body, name: str, arguments: list[tuple[str, int]], signature: Signature, result: str) -> list[str]:
    draw = body.draw
    given = "".join(f", {one}{f'={value}' if draw.chance(0.5) else ''}" for one, value in arguments)
    base = draw.pick("nn.Module", "torch.nn.Module", "nn.Module")
    start = draw.weighted((5, "super().__init__()"), (1, f"super({name}, self).__init__()"))
    lines = [*body.helpers, ""] if body.helpers else []
    lines.append(f"class {name}({base}):")
    if body.init or arguments or draw.chance(0.4):
        lines += [f"    def __init__(self{given}):", *indented([start, *body.init], 2), ""]
    header = signature.header
    if draw.chance(0.15) and "=" not in header:
        header = ", ".join(
            f"{one.name}: torch.Tensor" if isinstance(one.value, Tensor) else one.name for one in signature.parameters
        )
    lines += [
        f"    def forward(self, {header}){draw.pick('', '', '', ' -> torch.Tensor')}:",
        *indented([*body.forward, result], 2),
    ]
    return lines


def _result(body: Body) -> str:
    draw, x = body.draw, body.x
    if body.extra:
        names = [x, *body.extra]
        return draw.pick(
            f"return {', '.join(names)}",
            f"return ({', '.join(names)})",
            f"return [{', '.join(names)}]",
            "return {" + ", ".join(f'"{name}": {name}' for name in dict.fromkeys(names)) + "}",
        )
    return draw.weighted(
        (12, f"return {x}"),
        (1, f'return {{"logits": {x}}}'),
        (1, f"return ({x},)"),
        (0.5, f"return [{x}]"),
        (0.5, f"return {x}, {x} + 1"),
        (0.3, f"return {x}, None"),
    )


def _block(body: Body) -> None:
    """A class of its own in the middle."""
    inner = Body(body.draw, list(body.dims))
    inner.sizes = body.sizes
    name = body.draw.pick("Block", "Layer", "Residual")
    inner.in_init.add("width", body.last)
    walk(inner, body.draw.pick(1, 2))
    if inner.extra:
        inner.forward.append(f"{inner.x} = {inner.x} + 0 * {inner.extra[0]}.sum()")
    body.helpers += [
        *inner.helpers,
        f"class {name}(nn.Module):",
        "    def __init__(self, width):",
        *indented(["super().__init__()", *inner.init], 2),
        "",
        "    def forward(self, x):",
        *indented([*inner.forward, f"return {inner.x}"], 2),
        "",
    ]
    attribute = body.layer(f"{name}({body.in_init.text(body.last)})", "block")
    body.set(f"{attribute}({body.x})", inner.dims)


def _features(body: Body) -> int:
    return body.draw.pick(4, 8, 8, 16)


def _dtype(body: Body) -> str:
    return body.draw.weighted((30, "float32"), (0.7, "float64"), (0.5, "bfloat16"), (0.3, "float16"))


def _rows(body: Body) -> list[Parameter]:
    body.dims = ["b", _features(body)]
    return [Parameter("x", Tensor(tuple(body.dims), _dtype(body)))]


def _matrix(body: Body) -> list[Parameter]:
    body.dims = ["b", "t"]
    return [Parameter("x", Tensor(("b", "t")))]


def _sequence(body: Body) -> list[Parameter]:
    body.dims = ["b", _length(body, "t", "t", 3), _features(body)]
    return [Parameter(_called(body, "x", "hidden", "tokens"), Tensor(tuple(body.dims), _dtype(body)))]


def _called(body: Body, *names: str) -> str:
    body.x = body.draw.one(names)
    return body.x


def _signal(body: Body) -> list[Parameter]:
    body.dims = ["b", body.draw.pick(1, 3, 4), _length(body, "t", 8)]
    return [Parameter("x", Tensor(tuple(body.dims)))]


def _images(body: Body) -> list[Parameter]:
    free = body.draw.chance(0.4)
    body.dims = ["b", body.draw.pick(1, 3, 3, 4), *(("h", "w") if free else (8, 8))]
    return [Parameter(_called(body, "x", "image", "pixels"), Tensor(tuple(body.dims)))]


def _ids(body: Body) -> list[Parameter]:
    size, wide = body.draw.pick(10, 32, 100), _features(body)
    name = _called(body, "ids", "input_ids", "tokens")
    body.dims = ["b", _length(body, "t", "t", 4)]
    found = [Parameter(name, Tensor(tuple(body.dims), body.draw.pick("int64", "int64", "int64", "int32"), size))]
    more = body.draw.pick("", "", ", padding_idx=0")
    table = body.layer(f"nn.Embedding({size}, {wide}{more})", "emb")
    read = body.x
    body.x = body.draw.pick("x", "h")
    dims: list[Size] = [*body.dims, wide]
    body.set(f"{table}({read})", dims)
    if body.draw.chance(0.3):
        found.append(Parameter("mask", Tensor(tuple(dims[:2]), body.draw.pick("float32", "bool"))))
        body.say(f"{body.x} = {body.x} * mask.unsqueeze(-1)")
    return found


def _two(body: Body) -> list[Parameter]:
    wide = _features(body)
    body.dims = body.draw.pick(["b", wide], ["b", "t", wide])
    first = Tensor(tuple(body.dims), _dtype(body))
    names = body.draw.pick(("x", "y"), ("a", "b2"), ("query", "key"), ("left", "right"))
    x, y = body.x, other = names
    match body.draw.number(0, 4):
        case 0:
            second = Tensor((*first.dims[:-1], body.draw.pick(2, 4, wide)), first.dtype)
            last = second.dims[-1]
            assert isinstance(last, int)
            body.set(
                body.draw.pick(f"torch.cat([{x}, {y}], dim=-1)", f"torch.cat(({x}, {y}), -1)"),
                [*body.dims[:-1], wide + last],
            )
        case 1:
            second = Tensor((wide,), first.dtype)
            body.set(f"{x} {body.draw.pick('+', '*', '-')} {y}")
        case 2:
            second = Tensor(("s", wide), first.dtype)
            body.set(
                body.draw.pick(f"{x} @ {y}.t()", f"torch.matmul({x}, {y}.T)", f"F.linear({x}, {y})"),
                [*body.dims[:-1], "s"],
            )
        case _:
            second = first
            body.set(
                body.draw.pick(
                    f"{x} + {y}",
                    f"{x} * {y}",
                    f"torch.add({x}, {y})",
                    f"({x} - {y}).abs()",
                    f"torch.where({x} > {y}, {x}, {y})",
                    f"torch.maximum({x}, {other})",
                )
            )
    given = body.draw.pick("position", "position", "position", "name")
    return [Parameter(names[0], first), Parameter(names[1], second, given=given)]


def _mapping(body: Body) -> list[Parameter]:
    wide = _features(body)
    body.dims = ["b", wide]
    keys = body.draw.pick(("x", "y"), ("image", "text"), ("a", "b"))
    group = Group("dict", (Tensor(("b", wide)), Tensor(body.draw.pick(("b", wide), ("b", 1), (wide,)))), keys)
    name = body.draw.pick("inputs", "batch", "data")
    body.x = "x"
    body.say(f'x = {name}["{keys[0]}"] {body.draw.pick("+", "*")} {name}["{keys[1]}"]')
    return [Parameter(name, group)]


def _pair(body: Body) -> list[Parameter]:
    wide = _features(body)
    body.dims = ["b", wide]
    group = Group(body.draw.pick("tuple", "list"), (Tensor(("b", wide)), Tensor(("b", wide))))
    name = body.draw.pick("inputs", "pair", "xs")
    body.x = "x"
    body.say(
        *body.draw.pick(
            (f"x, y = {name}", "x = x + y"),
            (f"x = {name}[0] + {name}[1]",),
            (f"x = torch.cat(tuple({name}), dim=0)[: {name}[0].shape[0]]",),
            (f"x = sum({name})",),
        )
    )
    return [Parameter(name, group)]


def _optional(body: Body) -> list[Parameter]:
    wide = _features(body)
    body.dims = body.draw.pick(["b", wide], ["b", "t", wide])
    found = [Parameter("x", Tensor(tuple(body.dims)))]
    given = body.draw.pick("position", "name", "name", "never")
    match body.draw.number(0, 4):
        case 0:
            found.append(Parameter("mask", Tensor(tuple(body.dims[:-1])), "None", given))
            body.say("if mask is not None:", "    x = x * mask.unsqueeze(-1)")
        case 1:
            found.append(
                Parameter("scale", Plain(body.draw.pick("2.0", "0.5", "3")), body.draw.pick("1.0", "2"), given)
            )
            body.say("x = x * scale")
        case 2:
            found.append(Parameter("normalize", Plain(body.draw.pick("True", "False")), "False", given))
            body.say("if normalize:", "    x = F.normalize(x, dim=-1)")
        case 3:
            found.append(Parameter("mode", Plain(body.draw.pick('"relu"', '"gelu"')), '"relu"', given))
            body.say('x = F.relu(x) if mode == "relu" else F.gelu(x)')
        case _:
            found.append(Parameter("bias", Tensor((wide,)), "None", given))
            body.say("if bias is None:", f"    bias = torch.zeros({body.size(-1)})", "x = x + bias")
    if body.draw.chance(0.1):
        found.append(Parameter("dropout", Plain("0.0"), "0.0", "never"))
    return found


def _length(body: Body, *sizes: Size) -> Size:
    return body.draw.one(sizes)
