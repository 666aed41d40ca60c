"""Steps of a `forward` that compute, choose and check."""

from __future__ import annotations

from tests.random_scripts.body import Body


def move_dtype(body: Body) -> bool:
    if not body.float_:
        return False
    x = body.x
    body.set(
        body.draw.pick(
            f"{x}.to(torch.float64).to(torch.float32)",
            f"{x}.half().float()",
            f"{x}.double().float()",
            f"{x}.to(dtype=torch.bfloat16).to({x}.dtype)",
            f"{x}.float()",
            f"{x}.type_as({x})",
            f"{x}.to({x}.dtype)",
            f"{x}.to(torch.float32)",
            f"{x}.contiguous()",
            f"{x}.clone()",
            f"{x}.detach()",
        )
    )
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
    body.set(
        body.draw.pick(
            f"{x} - {x}.mean({dim}, keepdim=True)",
            f"{x} / ({x}.norm(dim={dim}, keepdim=True) + 1e-6)",
            f"F.normalize({x}, dim={dim})",
            f"torch.softmax({x}, dim={dim})",
            f"F.log_softmax({x}, {dim})",
            f"{x} - {x}.mean()",
            f"{x}.cumsum({dim})",
            f"{x} / {x}.shape[{dim}]",
            f"{x}.softmax({dim})",
            f"({x} - {x}.amin(dim={dim}, keepdim=True))",
            f"{x} * ({x}.shape[{dim}] ** -0.5)",
        )
    )
    return True


def choose(body: Body) -> bool:
    x = body.x
    if not body.float_:
        return False
    body.set(
        body.draw.pick(
            f"torch.where({x} > 0, {x}, torch.zeros_like({x}))",
            f"{x}.masked_fill({x} < 0, 0.0)",
            f"torch.where({x} > 0, {x}, 0.1 * {x})",
            f"{x} * ({x} > 0)",
            f"{x} * ({x} > 0).float()",
            f"torch.maximum({x}, torch.zeros_like({x}))",
            f"torch.lerp({x}, torch.zeros_like({x}), 0.5)",
            f"{x}.clone().masked_fill_({x} > 1, 1.0)",
            f"{x}.add(1).mul(2)",
            f"{x}.pow(2) + {x} ** 3",
            f"-{x}.abs()",
        )
    )
    return True


def made_from_sizes(body: Body) -> bool:
    """Tensors of the size of the input."""
    if not body.float_ or body.rank < 2 or not body.last:
        return False
    x, first = body.x, body.size(0)
    shape = ", ".join(body.size(index) for index in range(body.rank))
    body.set(
        body.draw.pick(
            f"{x} + torch.zeros({shape})",
            f"{x} + {x}.new_zeros({shape})",
            f"{x} + torch.ones_like({x})",
            f"{x} + torch.full(({shape}), 0.1)",
            f"{x} + torch.zeros({x}.shape, dtype={x}.dtype, device={x}.device)",
            f"{x} * torch.ones({first}, *([1] * {body.rank - 1}))",
            f"{x} + torch.empty_like({x}).fill_(0.5)",
            f"{x} + torch.arange({body.size(-1)})",
            f"{x} + torch.linspace(0, 1, {body.size(-1)})",
            f"{x} + torch.arange({body.size(-1)}, dtype={x}.dtype, device={x}.device)",
            f"{x} + torch.tensor([1.0] * {body.last})",
            f"{x} + torch.randn_like({x})",
        )
    )
    return True


def product(body: Body) -> bool:
    if body.rank != 3 or not body.float_ or not body.last:
        return False
    x, dims = body.x, [body.dims[0], body.dims[1], body.dims[1]]
    body.set(
        body.draw.pick(
            f"torch.bmm({x}, {x}.transpose(1, 2))",
            f"{x} @ {x}.mT",
            f"torch.einsum('btd,bsd->bts', {x}, {x})",
            f"torch.matmul({x}, {x}.permute(0, 2, 1))",
        ),
        dims,
    )
    return True


def mask(body: Body) -> bool:
    """A causal mask over two equal dimensions."""
    if body.rank != 3 or body.dims[1] != body.dims[2] or not body.float_:
        return False
    t = body.size(1)
    body.say(
        body.draw.pick(
            f"mask = torch.tril(torch.ones({t}, {t}))",
            f"mask = torch.ones({t}, {t}).tril()",
            f"mask = torch.triu(torch.ones({t}, {t}, dtype=torch.bool), diagonal=1).logical_not()",
        )
    )
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
        (1, f"{x}.dtype == torch.float32"),
        (1, "self.training"),
        (1, f"{x}.is_cuda"),
        (1, f"{body.size(dim)} % 2 == 0"),
        (1, f"{x}.requires_grad"),
        (1, "torch.is_grad_enabled()"),
        (0.5, f"isinstance({x}, torch.Tensor)"),
        (0.5, f"{x}.numel() > 0"),
        (0.2, f"{x}.sum() > 0"),
        (0.5, "torch.compiler.is_compiling()"),
        (0.5, "torch.compiler.is_exporting()"),
        (0.5, f"len({x}.shape) == 3"),
        (0.5, f"{x}.device.type == 'cpu'"),
        (0.5, f"{x}.is_floating_point()"),
    )
    other = [] if body.draw.chance(0.5) else ["else:", f"    {x} = {x} * 2"]
    body.say(f"if {condition}:", f"    {x} = {body.draw.pick(f'{x} + 1', f'torch.relu({x})', f'{x} * 0.5')}", *other)
    return True


def assertion(body: Body) -> bool:
    if not body.rank:
        return False
    dim = body.draw.number(0, body.rank - 1)
    size, x = body.dims[dim], body.x
    if isinstance(size, int):
        body.say(
            *body.draw.pick(
                (f"assert {x}.shape[{dim}] == {body.in_forward.text(size)}",),
                (
                    f"if {x}.size({dim}) != {size}:",
                    f"    raise ValueError(f'expected {size}, got {{{x}.size({dim})}}')",
                ),
                (f"assert {x}.shape[{dim}] == {size}, 'wrong size'",),
            )
        )
    else:
        body.say(
            body.draw.pick(
                f"assert {x}.dim() == {body.rank}",
                f"torch._check({x}.shape[{dim}] >= 1)",
                f"torch._check({x}.shape[{dim}] <= 4096)",
                f"assert {x}.shape[{dim}] > 0",
                f"torch._check({x}.size({dim}) > 1)",
                f"assert {x}.size({dim}) < 10000, f'too long: {{{x}.size({dim})}}'",
            )
        )
    return True


def loop(body: Body) -> bool:
    """A loop over a size that is fixed."""
    if body.rank != 3 or not isinstance(body.dims[1], int) or body.dims[1] > 4 or body.dims[1] < 1 or not body.float_:
        return False
    body.say("steps = []", f"for i in range({body.size(1)}):", f"    steps.append({body.x}[:, i] * (i + 1))")
    body.set("torch.stack(steps, dim=1)")
    return True


def keep(body: Body) -> bool:
    """A further result."""
    name = body.fresh("aux")
    mean = f"{body.x}.mean(-1)" if body.float_ else body.x
    body.say(f"{name} = {body.draw.pick(f'{body.x}.sum()', f'{body.x} * 1', mean)}")
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
            body.helpers += [
                f"def {name}(t, dim):",
                "    first, second = t.chunk(2, dim)",
                "    return torch.cat([second, first], dim)",
            ]
            body.set(f"{name}({body.x}, -1)")
    return True
