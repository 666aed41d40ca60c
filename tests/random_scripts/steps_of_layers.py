"""Steps of a `forward` with what the module keeps: layers, parameters, buffers."""

from __future__ import annotations

from tests.random_scripts.body import Body
from tests.random_scripts.inputs import Size

ACTIVATIONS = (
    "torch.relu({})",
    "F.relu({})",
    "F.gelu({})",
    "{}.relu()",
    "torch.tanh({})",
    "{}.sigmoid()",
    "F.silu({})",
    "torch.nn.functional.softplus({})",
    "{}.clamp(min=0)",
    "torch.clamp({}, -1, 1)",
)


def linear(body: Body) -> bool:
    if not body.last or not body.float_:
        return False
    wide = body.draw.pick(4, 8, 8, 16, body.last)
    read, made = body.in_init.text(body.last), body.in_init.text(wide)
    bias = body.draw.weighted((5, ""), (1, ", bias=False"))
    name = body.layer(f"nn.Linear({read}, {made}{bias})", "fc")
    call = f"{name}({body.x})"
    body.set(body.draw.one(ACTIVATIONS).format(call) if body.draw.chance(0.4) else call, [*body.dims[:-1], wide])
    return True


def sequential(body: Body) -> bool:
    if not body.last or not body.float_:
        return False
    wide = body.draw.pick(4, 8, body.last)
    text = body.in_init.text
    last, made = text(body.last), text(wide)
    act = body.draw.pick("nn.ReLU()", "nn.GELU()", "nn.SiLU()", "nn.Tanh()", "nn.Identity()", "nn.ReLU(inplace=True)")
    layers = [f"nn.Linear({last}, {made})", act, f"nn.Linear({made}, {last})"]
    if body.draw.chance(0.3):
        layers.append(f"nn.LayerNorm({last})")
    if body.draw.chance(0.2):
        layers.insert(2, body.draw.pick("nn.Dropout(0.1)", "nn.Dropout(p=0.0)"))
    style = body.draw.number(0, 3)
    if style == 0:
        body.init.append(f"layers = [{', '.join(layers[:-1])}]")
        body.init.append(f"layers.append({layers[-1]})")
        name = body.layer("nn.Sequential(*layers)", "net")
    elif style == 1:
        pairs = ", ".join(f'("l{index}", {layer})' for index, layer in enumerate(layers))
        name = body.layer(f"nn.Sequential(OrderedDict([{pairs}]))", "net")
    else:
        name = body.layer(f"nn.Sequential({', '.join(layers)})", "net")
    residual = body.draw.chance(0.4)
    body.set(f"{body.x} + {name}({body.x})" if residual else f"{name}({body.x})")
    return True


def module_list(body: Body) -> bool:
    if not body.last or not body.float_:
        return False
    last, count = body.in_init.text(body.last), body.draw.number(1, 3)
    if body.draw.chance(0.5):
        name = body.layer(f"nn.ModuleList([nn.Linear({last}, {last}) for _ in range({count})])", "layers")
    else:
        name = body.layer("nn.ModuleList()", "layers")
        body.init += [f"for _ in range({count}):", f"    {name}.append(nn.Linear({last}, {last}))"]
    match body.draw.number(0, 3):
        case 0:
            body.say(
                f"for i, layer in enumerate({name}):",
                f"    {body.x} = layer({body.x})",
                f"    if i < len({name}) - 1:",
                f"        {body.x} = F.relu({body.x})",
            )
        case 1:
            body.say(f"for i in range(len({name})):", f"    {body.x} = {body.x} + {name}[i]({body.x})")
        case _:
            body.say(f"for layer in {name}:", f"    {body.x} = torch.relu(layer({body.x}))")
    return True


def norm(body: Body) -> bool:
    if not body.last or not body.float_:
        return False
    last = body.in_init.text(body.last)
    name = body.layer(body.draw.pick(f"nn.LayerNorm({last})", f"nn.LayerNorm([{last}])", f"nn.RMSNorm({last})"), "norm")
    body.set(f"{name}({body.x})")
    return True


def activation(body: Body) -> bool:
    if not body.float_:
        return False
    body.set(body.draw.one(ACTIVATIONS).format(body.x))
    return True


def parameter(body: Body) -> bool:
    if not body.last or not body.float_:
        return False
    last = body.in_init.text(body.last)
    name = body.layer(
        body.draw.pick(
            f"nn.Parameter(torch.ones({last}))",
            f"nn.Parameter(torch.randn({last}) * 0.02)",
            "nn.Parameter(torch.tensor(0.5))",
            "nn.Parameter(torch.zeros(1))",
        ),
        "scale",
    )
    body.set(
        body.draw.pick(
            f"{body.x} * {name}",
            f"{name} + {body.x}",
            f"{body.x} * torch.sigmoid({name})",
            f"torch.mul({body.x}, {name})",
        )
    )
    return True


def buffer(body: Body) -> bool:
    if not body.last or not body.float_:
        return False
    name, last = body.fresh("buf"), body.in_init.text(body.last)
    more = body.draw.pick("", "", ", persistent=False")
    body.init.append(f'self.register_buffer("{name}", torch.{body.draw.pick("zeros", "ones", "rand")}({last}){more})')
    match body.draw.number(0, 5):
        case 0:
            body.say(f"self.{name}.add_(1)")
        case 1:
            body.say(f"self.{name} = self.{name} + 1")
        case 2:
            body.say(f"self.{name}.copy_({body.x}.detach().reshape(-1, {body.size(-1)}).mean(0))")
    body.set(
        body.draw.pick(
            f"{body.x} + self.{name}",
            f"({body.x} - self.{name}) / 2.0",
            f"{body.x} * self.{name}.to({body.x}.dtype)",
            f"{body.x} + self.{name}.to({body.x}.device)",
        )
    )
    return True


def table(body: Body) -> bool:
    """A table of positions that is cut to the length."""
    if body.rank != 3 or not body.last or not body.float_:
        return False
    rows = body.draw.pick(16, 32, 64)
    last = body.in_init.text(body.last)
    length = body.size(1)
    if body.draw.chance(0.5):
        body.init.append(f'self.register_buffer("pos", torch.randn({rows}, {last}))')
        body.set(
            body.draw.pick(
                f"{body.x} + self.pos[:{length}]",
                f"{body.x} + self.pos[None, :{length}]",
                f"{body.x} + self.pos[:{length}].unsqueeze(0)",
                f"{body.x} + self.pos.narrow(0, 0, {length})",
            )
        )
    else:
        name = body.layer(f"nn.Embedding({rows}, {last})", "pos_emb")
        device = body.draw.pick("", f", device={body.x}.device")
        body.say(f"positions = torch.arange({length}{device})")
        body.set(body.draw.pick(f"{body.x} + {name}(positions)", f"{body.x} + {name}(positions)[None]"))
    return True


def attention(body: Body) -> bool:
    if body.rank != 3 or not body.last or body.last % 2 or not body.float_:
        return False
    name = body.layer(f"nn.MultiheadAttention({body.in_init.text(body.last)}, 2, batch_first=True)", "attn")
    body.say(f"attended, _ = {name}({body.x}, {body.x}, {body.x}, need_weights=False)")
    body.set(f"{body.x} + attended")
    return True


def conv(body: Body) -> bool:
    if body.rank not in (3, 4) or not isinstance(body.dims[1], int) or not body.float_:
        return False
    kind = "Conv1d" if body.rank == 3 else "Conv2d"
    wide = body.draw.pick(2, 4, 8)
    same = body.draw.chance(0.7)
    more = ", padding=1" if same else body.draw.pick("", ", stride=2")
    name = body.layer(f"nn.{kind}({body.in_init.text(body.dims[1])}, {wide}, 3{more})", "conv")
    rest: list[Size] = []
    for size in body.dims[2:]:
        if same or isinstance(size, str):
            rest.append(size if same else f"({size}-)")
        else:
            after = (size - 3) // 2 + 1 if "stride" in more else size - 2
            if after < 1:
                body.init.pop()
                return False
            rest.append(after)
    body.set(f"F.relu({name}({body.x}))" if body.draw.chance(0.5) else f"{name}({body.x})", [body.dims[0], wide, *rest])
    return True


def batch_norm(body: Body) -> bool:
    if body.rank not in (2, 4) or not isinstance(body.dims[1], int) or not body.float_:
        return False
    kind = "BatchNorm1d" if body.rank == 2 else "BatchNorm2d"
    name = body.layer(f"nn.{kind}({body.in_init.text(body.dims[1])})", "bn")
    body.set(f"{name}({body.x})")
    return True


def pool(body: Body) -> bool:
    if body.rank != 4 or not body.float_:
        return False
    x = body.x
    channels = body.dims[1]
    match body.draw.number(0, 3):
        case 0:
            name = body.layer("nn.AdaptiveAvgPool2d(1)", "pool")
            body.set(f"{name}({x})", [body.dims[0], channels, 1, 1])
        case 1:
            body.set(f"F.adaptive_avg_pool2d({x}, (2, 2))", [body.dims[0], channels, 2, 2])
        case 2:
            body.set(f"{x}.mean(dim=(2, 3))", [body.dims[0], channels])
        case _:
            body.set(
                f"F.interpolate({x}, scale_factor=2, mode='nearest')",
                [*body.dims[:2], *(size * 2 if isinstance(size, int) else f"2{size}" for size in body.dims[2:])],
            )
    return True
