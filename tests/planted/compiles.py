"""Mistakes in `torch.compile`, in settings and in names of torch."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tests.mutation.source import keyword
from tests.planted.plant import Plant, before, kind, misspelt, over, renamed
from tests.planted.source import Source, is_tensor, text_of

COMPILE = "torch.compile"
CONFIGS = tuple(f"torch.{name}.config" for name in ("_inductor", "_dynamo", "_functorch"))
NAMESPACES = ("torch.compiler.", "torch.export.", "torch.library.", "torch._dynamo.", "torch._inductor.")
VARIABLES = ("TORCHINDUCTOR_", "TORCHDYNAMO_", "TORCH_COMPILE_", "TORCH_LOGS", "AOT_INDUCTOR_")


@kind("compile-mode")
def _mode(source: Source) -> Iterator[Plant]:
    for call in source.calls(COMPILE):
        given = keyword(call, "mode")
        mode = None if given is None else text_of(given.value)
        if given is not None and mode is not None:
            yield over(source, given.value, f'"{mode.replace("-", "_")}_"')


@kind("compile-mode-and-options")
def _both(source: Source) -> Iterator[Plant]:
    for call in source.calls(COMPILE):
        given = keyword(call, "mode")
        is_text = given is not None and text_of(given.value) is not None
        if is_text and keyword(call, "options") is None and all(one.arg for one in call.keywords):
            new = b'options={"epilogue_fusion": True}'
            yield Plant(source.text.with_keyword(call, new), (source.statement(call),))


@kind("compile-option")
def _option(source: Source) -> Iterator[Plant]:
    """An option that inductor does not have."""
    for call in source.calls(COMPILE):
        if all(one.arg in ("fullgraph", "dynamic") for one in call.keywords) and len(call.args) < 2:
            new = b'options={"max_autotunes": True}'
            yield Plant(source.text.with_keyword(call, new), (source.statement(call),))


@kind("compile-keyword")
def _keyword(source: Source) -> Iterator[Plant]:
    wrong = {"fullgraph": "full_graph", "dynamic": "dynamics", "mode": "modes", "backend": "back_end"}
    yield from misspelt(source, COMPILE, wrong)


@kind("compile-backend")
def _backend(source: Source) -> Iterator[Plant]:
    for call in source.calls(COMPILE):
        given = keyword(call, "backend")
        if given is not None and text_of(given.value) == "inductor":
            yield over(source, given.value, '"inducter"')


@kind("compile-thrown-away")
def _thrown_away(source: Source) -> Iterator[Plant]:
    """`model = torch.compile(model)` → `torch.compile(model)`."""
    for call in source.calls(COMPILE):
        statement = source.parents[call]
        if (
            isinstance(statement, ast.Assign)
            and call.args
            and source.of(statement.targets[0]) == source.of(call.args[0])
        ):
            yield over(source, statement, source.of(call))


@kind("compile-text")
def _text(source: Source) -> Iterator[Plant]:
    """The name of the model in quotes."""
    for call in source.calls(COMPILE):
        if call.args and isinstance(call.args[0], ast.Name):
            yield over(source, call.args[0], f'"{call.args[0].id}"')


@kind("fullgraph-branch")
def _branch(source: Source) -> Iterator[Plant]:
    for call in source.calls(COMPILE):
        function, given = source.parents[call], keyword(call, "fullgraph")
        if not (isinstance(function, ast.FunctionDef) and call in function.decorator_list):
            continue
        tensors = [one.arg for one in function.args.args if is_tensor(one.annotation)]
        if given is not None and source.of(given.value) == "True" and tensors:
            body = function.body[1:] if ast.get_docstring(function) is not None else function.body
            name = tensors[0]
            yield from before(source, body[0], f"if {name}.sum() > 0:", f"    {name} = {name} + 1")


@kind("name-misspelt")
def _name(source: Source) -> Iterator[Plant]:
    """A function that torch does not have."""
    for node in source.nodes:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and source.counts(node):
            name = source.full(node.func)
            known = name.startswith(NAMESPACES) and name.count(".") == 2 and source.has_torch
            if known and source.of(node.func).startswith("torch."):
                yield over(source, node.func, f"{source.of(node.func)}_of")


@kind("config-key")
def _config_key(source: Source) -> Iterator[Plant]:
    for node in source.nodes:
        is_set = isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and source.counts(node)
        if is_set and any(source.full(node).startswith(f"{config}.") for config in CONFIGS):
            assert isinstance(node, ast.Attribute)
            yield over(source, node, f"{source.of(node)}s_")


@kind("config-patch")
def _patch_key(source: Source) -> Iterator[Plant]:
    for call in source.calls(*(f"{config}.patch" for config in CONFIGS)):
        for given in call.keywords:
            if given.arg is not None:
                yield renamed(source, call, given, f"{given.arg}s_")
        for key in call.args[0].keys if call.args and isinstance(call.args[0], ast.Dict) else call.args[:1]:
            if key is not None and text_of(key) is not None:
                yield over(source, key, f'"{text_of(key)}s_"')


@kind("variable-misspelt")
def _variable(source: Source) -> Iterator[Plant]:
    """A variable of the environment that torch does not read."""
    for node in source.nodes:
        key: ast.expr | None = None
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
            key = node.slice if source.full(node.value) == "os.environ" else None
        elif isinstance(node, ast.Call) and source.full(node.func) == "os.environ.setdefault" and node.args:
            key = node.args[0]
        name = text_of(key)
        if key is not None and name is not None and name.startswith(VARIABLES) and source.counts(node):
            yield over(source, key, f'"{name}S"')
