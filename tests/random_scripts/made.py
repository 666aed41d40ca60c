"""Tensors that are made by way of others: cut, joined, repeated, filled."""

from __future__ import annotations

from tests.random_scripts.draw import Draw, Scope


def by_way(draw: Draw, scope: Scope, dims: list[int], dtype: str) -> str:
    """An expression whose result has these sizes, at least one. `dtype` is an argument for a factory, or nothing."""
    text = scope.text

    def new(*sizes: int) -> str:
        return f"torch.randn({', '.join(text(size) for size in sizes)}{dtype})"

    first, rest = dims[0], dims[1:]
    inner = ", ".join(map(text, rest))
    whole = ", ".join(map(text, dims))
    ones = "".join(", 1" for _ in rest)
    total = 1
    for size in dims:
        total *= size
    ways = [
        f"{new(first * 2, *rest)}[:{text(first)}]",
        f"{new(first + 1, *rest)}[1:]",
        f"{new(first + 2, *rest)}[1:-1]",
        f"{new(2, *dims)}[0]",
        f"{new(first * 2, *rest)}[::2]",
        f"{new(3 * first, *rest)}.chunk(3)[1]",
        f"{new(2 * first, *rest)}.split({text(first)})[0]",
        f"torch.split({new(2 * first, *rest)}, {text(first)}, dim=0)[-1]",
        f"{new(1, *rest)}.repeat({text(first)}{ones})",
        f"{new(1, *rest)}.expand({whole}).clone()",
        f"{new(1, *rest)}.expand({text(first)}{', -1' * len(rest)})",
        f"{new(first, 1, *rest)}.squeeze(1)",
        f"{new(*dims, 1)}[..., 0]",
        f"torch.stack([torch.randn({inner}{dtype}) for _ in range({text(first)})])" if rest else new(*dims),
        f"torch.stack([{', '.join(['torch.ones(' + inner + dtype + ')'] * first)}])"
        if rest and first < 5
        else new(*dims),
        f"{new(total)}.reshape({whole})",
        f"{new(total)}.view({text(first)}, -1)" if len(dims) == 2 else new(*dims),
        f"torch.arange({total}.0).reshape({whole})" if not dtype else new(*dims),
        f"{new(*dims)}.clone().detach()",
        f"torch.rand_like({new(*dims)})",
        f"torch.empty_like({new(*dims)}).fill_(1)",
        f"torch.cat([{new(first, *rest)}[:1], {new(max(first - 1, 0), *rest)}])",
        f"torch.cat(({new(first, *rest)}, {new(1, *rest)}), dim=0)[:-1]",
        f"torch.vstack([{new(1, *rest)}, {new(max(first - 1, 0), *rest)}])" if rest else new(*dims),
        f"torch.tensor([[0.5] * {dims[-1]}] * {first}{dtype})" if len(dims) == 2 else new(*dims),
        f"{new(first * 2, *rest)}.narrow(0, 0, {text(first)})",
        f"{new(first * 2, *rest)}.index_select(0, torch.arange({text(first)}))",
        f"{new(first, *rest)}[torch.randperm({text(first)})]",
        f"{new(first, *rest)}.flip(0)",
        f"F.pad({new(*dims[:-1], dims[-1] - 1)}, (0, 1))" if dims[-1] > 1 else new(*dims),
        f"{new(*dims)}.unsqueeze(0).squeeze(0)",
        f"{new(*dims)}.roll(1, 0)",
        f"{new(*dims)} * 2 + 1",
        f"torch.nn.functional.normalize({new(*dims)}, dim=-1)",
        f"next(iter([{new(*dims)}]))",
        f"{new(*dims[:-1], dims[-1] * 2)}.unflatten(-1, (2, {text(dims[-1])})).select(-2, 1)",
        f"{new(*dims)}.float()" if not dtype else new(*dims),
        f"torch.randn({whole}, requires_grad=False{dtype})",
        f"torch.zeros({whole}{dtype}).add_(1)",
        f"torch.normal(0.0, 1.0, size=({whole},))" if not dtype else new(*dims),
    ]
    return draw.one(ways)
