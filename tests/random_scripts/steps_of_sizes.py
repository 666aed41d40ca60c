"""Steps of a `forward` that cut, turn, fold and join."""

from __future__ import annotations

from tests.random_scripts.body import Body


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
    body.set(
        body.draw.pick(
            f"{x}.flatten(1)",
            f"torch.flatten({x}, 1)",
            f"{x}.reshape({body.size(0)}, -1)",
            f"{x}.reshape({body.size(0)}, {total})",
            f"{x}.flatten(start_dim=1)",
            f"{x}.reshape(-1, {total})",
            f"{x}.contiguous().view({body.size(0)}, -1)",
        ),
        [body.dims[0], total],
    )
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
        body.say(
            body.draw.pick(
                "heads = F.scaled_dot_product_attention(heads, heads, heads)",
                f"heads = torch.softmax(heads @ heads.transpose(-2, -1) / {width} ** 0.5, dim=-1) @ heads",
                "heads = torch.softmax(torch.matmul(heads, heads.mT), -1).matmul(heads)",
            )
        )
    back = body.draw.pick(f"{b}, {t}, -1", f"{b}, {t}, {body.in_forward.text(body.last)}", f"{b}, -1, {body.last}")
    body.set(f"heads.transpose(1, 2).{body.draw.pick('reshape', 'contiguous().view')}({back})")
    return True


def join(body: Body) -> bool:
    """Put the tensor beside itself."""
    if not body.last or body.last > 64:
        return False
    x = body.x
    how = body.draw.pick(
        "torch.cat([{0}, {0}], dim=-1)",
        "torch.cat(({0}, -{0}), -1)",
        "torch.concat([{0}, {0} * 2], -1)",
        "torch.hstack([{0}, {0}])" if body.rank == 2 else "torch.cat([{0}, {0}], dim=-1)",
        "torch.cat([{0}] * 2, dim=-1)",
    )
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
        body.set(
            body.draw.pick(
                f"{x}[:, 0]", f"{x}[:, -1]", f"{x}[:, -1, :]" if body.rank == 3 else f"{x}[:, 0]", f"{x}.select(1, 0)"
            ),
            [body.dims[0], *body.dims[2:]],
        )
    elif how == 1:
        body.set(f"{x}[:, 1:]", [body.dims[0], old - 1 if isinstance(old, int) else f"({old}-1)", *body.dims[2:]])
    elif how == 2:
        body.set(f"{x}[:, :-1]", [body.dims[0], old - 1 if isinstance(old, int) else f"({old}-1)", *body.dims[2:]])
    elif how == 3:
        body.set(f"{x}[:, :2]", [body.dims[0], 2, *body.dims[2:]])
    else:
        body.set(
            f"{x}[:, : {body.size(1)} // 2]",
            [body.dims[0], f"({old}/2)" if isinstance(old, str) else old // 2, *body.dims[2:]],
        )
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
    body.set(
        body.draw.pick(
            f"{x}.unsqueeze(1).expand(-1, {count}, {minus})",
            f"{x}[:, None].expand(-1, {count}, {minus})",
            f"{x}.unsqueeze(1).repeat(1, {count}, {', '.join('1' for _ in body.dims[1:])})",
            f"{x}.unsqueeze(1).expand({', '.join([body.size(0), str(count), *map(body.size, range(1, body.rank))])})",
            f"{x}.unsqueeze(1).repeat_interleave({count}, dim=1)",
        ),
        [body.dims[0], count, *body.dims[1:]],
    )
    return True


def fold(body: Body) -> bool:
    """Fold the first dimensions into one for a layer, and unfold them again."""
    if body.rank != 3 or not body.last or not body.float_:
        return False
    x, b, t = body.x, body.size(0), body.size(1)
    last = body.in_init.text(body.last)
    name = body.layer(f"nn.Linear({last}, {last})", "proj")
    rows = body.draw.pick(
        f"{x}.reshape(-1, {body.size(-1)})",
        f"{x}.reshape({b} * {t}, -1)",
        f"{x}.flatten(0, 1)",
        f"{x}.view(-1, {body.size(-1)})",
    )
    body.say(f"flat = {name}({rows})")
    body.set(
        body.draw.pick(
            f"flat.reshape({b}, {t}, -1)",
            f"flat.view({b}, {t}, {body.last})",
            f"flat.unflatten(0, ({b}, {t}))",
            f"flat.view({b}, -1, {body.last})",
        )
    )
    return True


def turn(body: Body) -> bool:
    if body.rank != 3:
        return False
    order = body.draw.shuffled([0, 1, 2]) if body.draw.chance(0.3) else [0, 2, 1]
    body.set(
        body.draw.pick(
            f"{body.x}.permute({', '.join(map(str, order))})",
            f"{body.x}.permute({order})",
            f"torch.permute({body.x}, {tuple(order)})",
        ),
        [body.dims[index] for index in order],
    )
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
