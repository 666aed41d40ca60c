"""The steps a `forward` is made of. Each looks whether it fits, writes its lines, and gives whether it did."""

from __future__ import annotations

from collections.abc import Callable

from tests.random_scripts.body import Body
from tests.random_scripts.inputs import Size

Step = Callable[[Body], bool]

ACTIVATIONS = ("torch.relu({})", "F.relu({})", "F.gelu({})", "{}.relu()", "torch.tanh({})", "{}.sigmoid()", "F.silu({})",
    "torch.nn.functional.softplus({})", "{}.clamp(min=0)", "torch.clamp({}, -1, 1)")  # fmt: skip


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
            body.say(f"for i, layer in enumerate({name}):", f"    {body.x} = layer({body.x})",
                f"    if i < len({name}) - 1:", f"        {body.x} = F.relu({body.x})")  # fmt: skip
        case 1:
            body.say(f"for i in range(len({name})):", f"    {body.x} = {body.x} + {name}[i]({body.x})")
        case _:
            body.say(f"for layer in {name}:", f"    {body.x} = torch.relu(layer({body.x}))")
    return True


def norm(body: Body) -> bool:
    if not body.last or not body.float_:
        return False
    last = body.in_init.text(body.last)
    name = body.layer(
        body.draw.pick(f"nn.LayerNorm({last})", f"nn.LayerNorm([{last}])", f"nn.RMSNorm({last})"), "norm"
    )
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
    name = body.layer(body.draw.pick(f"nn.Parameter(torch.ones({last}))", f"nn.Parameter(torch.randn({last}) * 0.02)",
        "nn.Parameter(torch.tensor(0.5))", "nn.Parameter(torch.zeros(1))"), "scale")  # fmt: skip
    body.set(body.draw.pick(f"{body.x} * {name}", f"{name} + {body.x}", f"{body.x} * torch.sigmoid({name})",
        f"torch.mul({body.x}, {name})"))  # fmt: skip
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
    body.set(body.draw.pick(f"{body.x} + self.{name}", f"({body.x} - self.{name}) / 2.0",
        f"{body.x} * self.{name}.to({body.x}.dtype)", f"{body.x} + self.{name}.to({body.x}.device)"))  # fmt: skip
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
        body.set(body.draw.pick(f"{body.x} + self.pos[:{length}]", f"{body.x} + self.pos[None, :{length}]",
            f"{body.x} + self.pos[:{length}].unsqueeze(0)", f"{body.x} + self.pos.narrow(0, 0, {length})"))  # fmt: skip
    else:
        name = body.layer(f"nn.Embedding({rows}, {last})", "pos_emb")
        device = body.draw.pick("", f", device={body.x}.device")
        body.say(f"positions = torch.arange({length}{device})")
        body.set(body.draw.pick(f"{body.x} + {name}(positions)", f"{body.x} + {name}(positions)[None]"))
    return True


def move_dtype(body: Body) -> bool:
    if not body.float_:
        return False
    x = body.x
    body.set(body.draw.pick(f"{x}.to(torch.float64).to(torch.float32)", f"{x}.half().float()", f"{x}.double().float()",
        f"{x}.to(dtype=torch.bfloat16).to({x}.dtype)", f"{x}.float()", f"{x}.type_as({x})", f"{x}.to({x}.dtype)",
        f"{x}.to(torch.float32)", f"{x}.contiguous()", f"{x}.clone()", f"{x}.detach()"))  # fmt: skip
    return True


def name_sizes(body: Body) -> bool:
    """`b, t, d = x.shape`."""
    names = [("b", "n", "t", "c", "d")[index] if index else "b" for index in range(body.rank)]
    if body.rank < 2 or body.bound:
        return False
    names = ["b", *("thwk"[index] for index in range(body.rank - 2)), "d"]
    names = [f"{name}_" if name in ("x", "h") else name for name in names]
    body.say(f"{', '.join(names)} = {body.x}.{body.draw.pick('shape', 'shape', 'size()')}")
    for name, size in zip(names, body.dims, strict=True):
        if isinstance(size, str):
            body.bound[size] = name
    return True


def flatten(body: Body) -> bool:
    if body.rank < 3 or not all(isinstance(size, int) for size in body.dims[1:]):
        return False
    total = 1
    for size in body.dims[1:]:
        total *= int(size)
    if total > 512:
        return False
    x = body.x
    body.set(body.draw.pick(f"{x}.flatten(1)", f"torch.flatten({x}, 1)", f"{x}.reshape({body.size(0)}, -1)",
        f"{x}.reshape({body.size(0)}, {total})", f"{x}.flatten(start_dim=1)", f"{x}.reshape(-1, {total})",
        f"{x}.contiguous().view({body.size(0)}, -1)"), [body.dims[0], total])  # fmt: skip
    return True


def heads(body: Body) -> bool:
    """Split the last dimension into heads and put it together again."""
    if body.rank != 3 or not body.last or body.last % 2:
        return False
    count = body.draw.pick(1, 2, 2, 4) if body.last % 4 == 0 else 2
    width, x = body.last // count, body.x
    b, t = body.size(0), body.size(1)
    shape = body.draw.pick(f"{b}, {t}, {count}, {width}", f"{b}, {t}, {count}, -1", f"{b}, -1, {count}, {width}")
    body.say(f"heads = {x}.{body.draw.pick('view', 'reshape', 'reshape')}({shape}).transpose(1, 2)")
    if body.float_ and body.draw.chance(0.6):
        body.say(body.draw.pick(
            "heads = F.scaled_dot_product_attention(heads, heads, heads)",
            f"heads = torch.softmax(heads @ heads.transpose(-2, -1) / {width} ** 0.5, dim=-1) @ heads",
            "heads = torch.softmax(torch.matmul(heads, heads.mT), -1).matmul(heads)",
        ))  # fmt: skip
    back = body.draw.pick(f"{b}, {t}, -1", f"{b}, {t}, {body.in_forward.text(body.last)}", f"{b}, -1, {body.last}")
    body.set(f"heads.transpose(1, 2).{body.draw.pick('reshape', 'contiguous().view')}({back})")
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
            body.set(f"F.interpolate({x}, scale_factor=2, mode='nearest')",
                [*body.dims[:2], *(size * 2 if isinstance(size, int) else f"2{size}" for size in body.dims[2:])])
    return True


def reduce(body: Body) -> bool:
    if body.rank < 3 or not body.float_:
        return False
    dim, x = body.draw.number(1, body.rank - 1), body.x
    keep = body.draw.chance(0.25)
    text = f"dim={dim}" if body.draw.chance(0.5) else str(dim - body.rank if body.draw.chance(0.5) else dim)
    more = ", keepdim=True" if keep else ""
    how = body.draw.pick("mean", "sum", "amax", "std", "logsumexp", "max")
    call = f"{x}.{how}({text}{more})" + body.draw.pick(".values", "[0]") if how == "max" else f"{x}.{how}({text}{more})"
    body.set(call, [*body.dims[:dim], *([1] if keep else []), *body.dims[dim + 1 :]])
    return True


def centre(body: Body) -> bool:
    if not body.float_ or body.rank < 2:
        return False
    x, dim = body.x, body.draw.pick(-1, 1, 0)
    body.set(body.draw.pick(
        f"{x} - {x}.mean({dim}, keepdim=True)", f"{x} / ({x}.norm(dim={dim}, keepdim=True) + 1e-6)",
        f"F.normalize({x}, dim={dim})", f"torch.softmax({x}, dim={dim})", f"F.log_softmax({x}, {dim})",
        f"{x} - {x}.mean()", f"{x}.cumsum({dim})", f"{x} / {x}.shape[{dim}]", f"{x}.softmax({dim})",
        f"({x} - {x}.amin(dim={dim}, keepdim=True))", f"{x} * ({x}.shape[{dim}] ** -0.5)",
    ))  # fmt: skip
    return True


def choose(body: Body) -> bool:
    x = body.x
    if not body.float_:
        return False
    body.set(body.draw.pick(
        f"torch.where({x} > 0, {x}, torch.zeros_like({x}))", f"{x}.masked_fill({x} < 0, 0.0)",
        f"torch.where({x} > 0, {x}, 0.1 * {x})", f"{x} * ({x} > 0)", f"{x} * ({x} > 0).float()",
        f"torch.maximum({x}, torch.zeros_like({x}))", f"torch.lerp({x}, torch.zeros_like({x}), 0.5)",
        f"{x}.clone().masked_fill_({x} > 1, 1.0)", f"{x}.add(1).mul(2)", f"{x}.pow(2) + {x} ** 3", f"-{x}.abs()",
    ))  # fmt: skip
    return True


def join(body: Body) -> bool:
    """Put the tensor beside itself."""
    if not body.last or body.last > 64:
        return False
    x = body.x
    how = body.draw.pick("torch.cat([{0}, {0}], dim=-1)", "torch.cat(({0}, -{0}), -1)", "torch.concat([{0}, {0} * 2], -1)",
        "torch.hstack([{0}, {0}])" if body.rank == 2 else "torch.cat([{0}, {0}], dim=-1)",
        "torch.cat([{0}] * 2, dim=-1)")  # fmt: skip
    body.set(how.format(x), [*body.dims[:-1], body.last * 2])
    return True


def part(body: Body) -> bool:
    """Keep a part of the last dimension."""
    if body.last < 4 or body.last % 2:
        return False
    x, half = body.x, body.last // 2
    dims = [*body.dims[:-1], half]
    match body.draw.number(0, 5):
        case 0:
            body.say(f"first, second = {x}.chunk(2, dim=-1)")
            body.set(body.draw.pick("first * torch.sigmoid(second)", "first + second", "second"), dims)
        case 1:
            body.say(f"parts = {x}.split({body.in_forward.text(half)}, dim=-1)")
            body.set("parts[0] - parts[1]", dims)
        case 2:
            body.say(f"a, b2 = torch.split({x}, [{half}, {half}], dim=-1)")
            body.set("a * b2", dims)
        case 3:
            body.set(f"{x}[..., :{half}]", dims)
        case 4:
            body.set(f"{x}.narrow(-1, 0, {half})", dims)
        case _:
            body.set(body.draw.pick(f"{x}[..., ::2]", f"{x}[..., {half}:]", f"{x}[..., -{half}:]"), dims)
    return True


def cut_sizes(body: Body) -> bool:
    """Slices of a dimension that calls may change."""
    if body.rank < 3:
        return False
    x = body.x
    old = body.dims[1]
    how = body.draw.number(0, 4)
    if how == 0:
        body.set(body.draw.pick(f"{x}[:, 0]", f"{x}[:, -1]", f"{x}[:, -1, :]" if body.rank == 3 else f"{x}[:, 0]",
            f"{x}.select(1, 0)"), [body.dims[0], *body.dims[2:]])  # fmt: skip
    elif how == 1:
        body.set(f"{x}[:, 1:]", [body.dims[0], old - 1 if isinstance(old, int) else f"({old}-1)", *body.dims[2:]])
    elif how == 2:
        body.set(f"{x}[:, :-1]", [body.dims[0], old - 1 if isinstance(old, int) else f"({old}-1)", *body.dims[2:]])
    elif how == 3:
        body.set(f"{x}[:, :2]", [body.dims[0], 2, *body.dims[2:]])
    else:
        body.set(f"{x}[:, : {body.size(1)} // 2]", [body.dims[0], f"({old}/2)" if isinstance(old, str) else old // 2, *body.dims[2:]])
    return isinstance(body.dims[1], str) or True


def made_from_sizes(body: Body) -> bool:
    """Tensors of the size of the input."""
    if not body.float_ or body.rank < 2 or not body.last:
        return False
    x, first = body.x, body.size(0)
    shape = ", ".join(body.size(index) for index in range(body.rank))
    body.set(body.draw.pick(
        f"{x} + torch.zeros({shape})", f"{x} + {x}.new_zeros({shape})", f"{x} + torch.ones_like({x})",
        f"{x} + torch.full(({shape}), 0.1)", f"{x} + torch.zeros({x}.shape, dtype={x}.dtype, device={x}.device)",
        f"{x} * torch.ones({first}, *([1] * {body.rank - 1}))", f"{x} + torch.empty_like({x}).fill_(0.5)",
        f"{x} + torch.arange({body.size(-1)})", f"{x} + torch.linspace(0, 1, {body.size(-1)})",
        f"{x} + torch.arange({body.size(-1)}, dtype={x}.dtype, device={x}.device)",
        f"{x} + torch.tensor([1.0] * {body.last})", f"{x} + torch.randn_like({x})",
    ))  # fmt: skip
    return True


def grow(body: Body) -> bool:
    """A dimension more."""
    if body.rank not in (2, 3):
        return False
    x, count = body.x, body.draw.pick(1, 2, 3)
    minus = ", ".join("-1" for _ in body.dims[1:])
    if body.draw.chance(0.3) and body.last:
        body.set(f"torch.stack([{x}, {x}], dim=1)", [body.dims[0], 2, *body.dims[1:]])
        return True
    body.set(body.draw.pick(f"{x}.unsqueeze(1).expand(-1, {count}, {minus})", f"{x}[:, None].expand(-1, {count}, {minus})",
        f"{x}.unsqueeze(1).repeat(1, {count}, {', '.join('1' for _ in body.dims[1:])})",
        f"{x}.unsqueeze(1).expand({body.size(0)}, {count}, {', '.join(body.size(index) for index in range(1, body.rank))})",
        f"{x}.unsqueeze(1).repeat_interleave({count}, dim=1)"), [body.dims[0], count, *body.dims[1:]])  # fmt: skip
    return True


def fold(body: Body) -> bool:
    """Fold the first dimensions into one for a layer, and unfold them again."""
    if body.rank != 3 or not body.last or not body.float_:
        return False
    x, b, t = body.x, body.size(0), body.size(1)
    last = body.in_init.text(body.last)
    name = body.layer(f"nn.Linear({last}, {last})", "proj")
    rows = body.draw.pick(f"{x}.reshape(-1, {body.size(-1)})", f"{x}.reshape({b} * {t}, -1)", f"{x}.flatten(0, 1)",
        f"{x}.view(-1, {body.size(-1)})")  # fmt: skip
    body.say(f"flat = {name}({rows})")
    body.set(body.draw.pick(f"flat.reshape({b}, {t}, -1)", f"flat.view({b}, {t}, {body.last})",
        f"flat.unflatten(0, ({b}, {t}))", f"flat.view({b}, -1, {body.last})"))  # fmt: skip
    return True


def turn(body: Body) -> bool:
    if body.rank != 3:
        return False
    order = body.draw.shuffled([0, 1, 2]) if body.draw.chance(0.3) else [0, 2, 1]
    body.set(body.draw.pick(f"{body.x}.permute({', '.join(map(str, order))})", f"{body.x}.permute({order})",
        f"torch.permute({body.x}, {tuple(order)})"), [body.dims[index] for index in order])  # fmt: skip
    return True


def product(body: Body) -> bool:
    if body.rank != 3 or not body.float_ or not body.last:
        return False
    x, dims = body.x, [body.dims[0], body.dims[1], body.dims[1]]
    body.set(body.draw.pick(f"torch.bmm({x}, {x}.transpose(1, 2))", f"{x} @ {x}.mT",
        f"torch.einsum('btd,bsd->bts', {x}, {x})", f"torch.matmul({x}, {x}.permute(0, 2, 1))"), dims)  # fmt: skip
    return True


def mask(body: Body) -> bool:
    """A causal mask over two equal dimensions."""
    if body.rank != 3 or body.dims[1] != body.dims[2] or not body.float_:
        return False
    t = body.size(1)
    body.say(body.draw.pick(f"mask = torch.tril(torch.ones({t}, {t}))", f"mask = torch.ones({t}, {t}).tril()",
        f"mask = torch.triu(torch.ones({t}, {t}, dtype=torch.bool), diagonal=1).logical_not()"))  # fmt: skip
    body.set(f"{body.x}.masked_fill(mask == 0, float('-inf')).softmax(-1)")
    return True


def branch(body: Body) -> bool:
    """One way or another: by a size, a rank, a flag."""
    x = body.x
    dim = body.draw.number(0, max(body.rank - 1, 0))
    if not body.rank or not body.float_:
        return False
    condition = body.draw.weighted(
        (2, f"{body.size(dim)} {body.draw.pick('>', '<', '>=', '==', '!=')} {body.draw.pick(1, 2, 3, 4, 100)}"),
        (2, f"{x}.dim() == {body.draw.pick(2, 3, 4)}"),
        (1, f"{x}.ndim {body.draw.pick('>', '==')} {body.draw.pick(1, 2, 3)}"),
        (1, f"{x}.dtype == torch.float32"), (1, "self.training"), (1, f"{x}.is_cuda"),
        (1, f"{body.size(dim)} % 2 == 0"), (1, f"{x}.requires_grad"), (1, "torch.is_grad_enabled()"),
        (0.5, f"isinstance({x}, torch.Tensor)"), (0.5, f"{x}.numel() > 0"), (0.2, f"{x}.sum() > 0"),
        (0.5, "torch.compiler.is_compiling()"), (0.5, "torch.compiler.is_exporting()"), (0.5, f"len({x}.shape) == 3"),
        (0.5, f"{x}.device.type == 'cpu'"), (0.5, f"{x}.is_floating_point()"),
    )  # fmt: skip
    other = [] if body.draw.chance(0.5) else ["else:", f"    {x} = {x} * 2"]
    body.say(f"if {condition}:", f"    {x} = {body.draw.pick(f'{x} + 1', f'torch.relu({x})', f'{x} * 0.5')}", *other)
    return True


def assertion(body: Body) -> bool:
    if not body.rank:
        return False
    dim = body.draw.number(0, body.rank - 1)
    size, x = body.dims[dim], body.x
    if isinstance(size, int):
        body.say(*body.draw.pick((f"assert {x}.shape[{dim}] == {body.in_forward.text(size)}",),
            (f"if {x}.size({dim}) != {size}:", f"    raise ValueError(f'expected {size}, got {{{x}.size({dim})}}')"),
            (f"assert {x}.shape[{dim}] == {size}, 'wrong size'",)))  # fmt: skip
    else:
        body.say(body.draw.pick(f"assert {x}.dim() == {body.rank}", f"torch._check({x}.shape[{dim}] >= 1)",
            f"torch._check({x}.shape[{dim}] <= 4096)", f"assert {x}.shape[{dim}] > 0", f"torch._check({x}.size({dim}) > 1)",
            f"assert {x}.size({dim}) < 10000, f'too long: {{{x}.size({dim})}}'"))  # fmt: skip
    return True


def loop(body: Body) -> bool:
    """A loop over a size that is fixed."""
    if body.rank != 3 or not isinstance(body.dims[1], int) or body.dims[1] > 4 or body.dims[1] < 1 or not body.float_:
        return False
    body.say("steps = []", f"for i in range({body.size(1)}):", f"    steps.append({body.x}[:, i] * (i + 1))")
    body.set("torch.stack(steps, dim=1)")
    return True


def pad(body: Body) -> bool:
    if not body.last or not body.float_:
        return False
    body.set(f"F.pad({body.x}, ({body.draw.pick('0, 2', '1, 1', '2, 0')}))", [*body.dims[:-1], body.last + 2])
    return True


def index(body: Body) -> bool:
    if body.last < 3:
        return False
    x = body.x
    match body.draw.number(0, 3):
        case 0:
            body.set(f"{x}[..., [0, 2]]", [*body.dims[:-1], 2])
        case 1:
            body.set(f"{x}.index_select(-1, torch.tensor([0, 1, 2]))", [*body.dims[:-1], 3])
        case 2:
            body.set(f"{x}.topk(2, dim=-1).values", [*body.dims[:-1], 2])
        case _:
            body.set(f"{x}.sort(dim=-1)[0]")
    return True


def keep(body: Body) -> bool:
    """A further result."""
    name = body.fresh("aux")
    body.say(f"{name} = {body.draw.pick(f'{body.x}.sum()', f'{body.x} * 1', f'{body.x}.mean(-1)' if body.float_ else body.x)}")
    body.extra.append(name)
    return True


def helper(body: Body) -> bool:
    """A function outside the class."""
    if not body.float_ or not body.last:
        return False
    name = body.fresh(body.draw.pick("scale_by", "apply_gate", "rescale", "squash"))
    match body.draw.number(0, 2):
        case 0:
            body.helpers += [f"def {name}(t, factor=2.0):", "    return t * factor"]
            body.set(body.draw.pick(f"{name}({body.x})", f"{name}({body.x}, 0.5)", f"{name}({body.x}, factor=3)"))
        case 1:
            body.helpers += [f"def {name}(t):", "    b = t.shape[0]", "    return t.reshape(b, -1).reshape(t.shape)"]
            body.set(f"{name}({body.x})")
        case _:
            body.helpers += [f"def {name}(t, dim):", "    first, second = t.chunk(2, dim)", "    return torch.cat([second, first], dim)"]
            body.set(f"{name}({body.x}, -1)")
    return True


STEPS: tuple[tuple[float, Step], ...] = (
    (5, linear), (2, sequential), (1.5, module_list), (1, norm), (2, activation), (1, parameter), (1, buffer), (2, table),
    (1, move_dtype), (1.5, name_sizes), (2, flatten), (2, heads), (0.3, attention), (3, conv), (0.7, batch_norm),
    (2, pool), (2, reduce), (2, centre), (1, choose), (1, join), (1, part), (1, cut_sizes), (1.5, made_from_sizes),
    (1, grow), (1, fold), (0.7, turn), (0.7, product), (1, mask), (1.5, branch), (1, assertion), (0.7, loop), (0.5, pad),
    (0.5, index), (0.7, keep), (1, helper),
)  # fmt: skip


def walk(body: Body, count: int) -> None:
    """Write so many steps that fit."""
    for _ in range(count):
        for _ in range(12):
            if body.draw.weighted(*STEPS)(body):
                break
