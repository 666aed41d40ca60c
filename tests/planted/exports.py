"""Mistakes in exports, in what is done with the program, and in `torch.onnx.export`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tests.mutation.source import keyword
from tests.planted.plant import Plant, before, kind, misspelt, over
from tests.planted.source import DIM, EXPORT, FACTORIES, Source, is_tensor, text_of

ONNX = "torch.onnx.export"
PACKAGE = "torch._inductor.aoti_compile_and_package"
LOAD = "torch._inductor.aoti_load_package"


@kind("export-keyword")
def _misspelt_keyword(source: Source) -> Iterator[Plant]:
    wrong = {"dynamic_shapes": "dynamic_shape", "strict": "is_strict", "args": "example_args", "kwargs": "kwarg"}
    yield from misspelt(source, EXPORT, wrong)


@kind("export-gone")
def _removed_function(source: Source) -> Iterator[Plant]:
    for call in source.calls(EXPORT):
        if source.has_torch:
            yield over(source, call.func, "torch.export.export_for_training")


@kind("import-gone")
def _removed_import(source: Source) -> Iterator[Plant]:
    for node in source.nodes:
        if isinstance(node, ast.ImportFrom) and node.module == "torch.export" and source.counts(node):
            for one in node.names:
                start = source.text.lines[one.lineno - 1] + one.col_offset
                name = one.asname or one.name
                new = f"export_for_training as {name}".encode()
                if one.name == "export":
                    yield Plant(((start, start + len(ast.unparse(one)), new),), (node,))


@kind("args-list")
def _list_of_args(source: Source) -> Iterator[Plant]:
    """`(x, y)` → `[x, y]`."""
    for export in source.exports:
        args = source.value(export.args)
        if isinstance(args, ast.Tuple) and args.elts and source.of(args)[0] == "(":
            yield over(source, args, f"[{source.of(args)[1:-1]}]", source.statement(export.call))


@kind("args-comma")
def _no_comma(source: Source) -> Iterator[Plant]:
    """`(x,)` → `(x)`, where `x` is a tensor."""
    for export in source.exports:
        args = source.value(export.args)
        if isinstance(args, ast.Tuple) and len(args.elts) == 1:
            made = source.value(args.elts[0])
            if isinstance(made, ast.Call) and source.full(made.func) in FACTORIES:
                yield over(source, args, f"({source.of(args.elts[0])})", source.statement(export.call))


@kind("shapes-key")
def _other_key(source: Source) -> Iterator[Plant]:
    for export in source.exports:
        if isinstance(export.shapes, ast.Dict):
            for key in export.shapes.keys:
                if key is not None and text_of(key) is not None:
                    yield over(source, key, f'"{text_of(key)}_x"', source.statement(export.call))


@kind("shapes-fewer")
def _entry_gone(source: Source) -> Iterator[Plant]:
    """One entry fewer than there are inputs."""
    for export in source.exports:
        end = source.statement(export.call)
        if isinstance(export.shapes, ast.Dict) and len(export.shapes.keys) > 1 and None not in export.shapes.keys:
            last, value = export.shapes.keys[-1], export.shapes.values[-1]
            assert last is not None
            edit = (source.text.end(export.shapes.values[-2]), source.text.end(value), b"")
            yield Plant((edit,), (source.statement(last), end))
        elif isinstance(export.shapes, ast.Tuple) and len(export.shapes.elts) > 1:
            left = len(export.shapes.elts) > 2 or source.of(export.shapes)[:-1].rstrip().endswith(",")
            edit = (
                source.text.end(export.shapes.elts[-2]),
                source.text.end(export.shapes.elts[-1]),
                b"" if left else b",",
            )
            yield Plant((edit,), (source.statement(export.shapes), end))


@kind("shapes-dimension")
def _no_such_dimension(source: Source) -> Iterator[Plant]:
    """A `Dim` for a dimension that the input, whose sizes are written, does not have."""
    for export in source.exports:
        for key, _, size in export.dims():
            if size is not None:
                yield over(source, key, "17", source.statement(export.call))


@kind("shapes-lost")
def _not_given(source: Source) -> Iterator[Plant]:
    """A `Dim` is made, and the export in the same function is given none."""
    for export in source.exports:
        made = [call for _, call, _ in export.dims() if source.scope(call) is source.scope(export.call)]
        if export.given is not None and made and isinstance(export.given.value, ast.Name):
            ends = [source.statement(one) for one in made]
            if export.shapes is not None:
                ends.append(source.statement(export.shapes))
            yield Plant(source.text.without(export.call, export.given), (source.statement(export.call), *ends))


@kind("dim-name")
def _no_identifier(source: Source) -> Iterator[Plant]:
    for call in source.calls(DIM):
        name = source.argument(call, 0, "name")
        if name is not None and text_of(name) is not None:
            yield over(source, name, f'"{text_of(name)}-dim"')


@kind("dim-range")
def _empty_range(source: Source) -> Iterator[Plant]:
    """`min` beyond `max`."""
    for call in source.calls(DIM):
        if any(one.arg is None for one in call.keywords) or len(call.args) > 1:
            continue
        low, high = keyword(call, "min"), keyword(call, "max")
        if low is None and high is None:
            yield Plant(source.text.with_keyword(call, b"min=8, max=4"), (source.statement(call),))
        elif low is not None and high is not None:
            yield Plant(
                (*source.text.over(low.value, b"8"), *source.text.over(high.value, b"4")), (source.statement(call),)
            )


@kind("dim-keyword")
def _keyword_of_dim(source: Source) -> Iterator[Plant]:
    yield from misspelt(source, DIM, {"min": "minimum", "max": "maximum"})


@kind("dim-beyond-example")
def _beyond_the_example(source: Source) -> Iterator[Plant]:
    """`min` above the size of the example."""
    for export in source.exports:
        for _, made, size in export.dims():
            low = keyword(made, "min")
            if size is None or any(one.arg is None for one in made.keywords) or len(made.args) > 1:
                continue
            ends = (source.statement(made), source.statement(size.node), source.statement(export.call))
            new = f"{size.number + 1}".encode()
            if low is not None:
                yield Plant(source.text.over(low.value, new), ends)
            elif keyword(made, "max") is None:
                yield Plant(source.text.with_keyword(made, b"min=" + new), ends)


@kind("example-of-one")
def _example_of_one(source: Source) -> Iterator[Plant]:
    """The example has one of what is declared dynamic by a `Dim`."""
    for export in source.exports:
        for _, made, size in export.dims():
            if size is not None and size.number > 1:
                ends = (source.statement(export.call), source.statement(made))
                yield over(source, size.node, "1", *ends)


@kind("program-called")
def _program_called(source: Source) -> Iterator[Plant]:
    """`ep.module()(x)` → `ep(x)`."""
    for call, program in _modules(source):
        parent = source.parents[call]
        if isinstance(parent, ast.Call) and parent.func is call:
            yield over(source, call, program)


@kind("program-mode")
def _mode_of_program(source: Source) -> Iterator[Plant]:
    """`ep.module()` → `ep.module().eval()`."""
    for call, _ in _modules(source):
        if not isinstance(source.parents[call], ast.Attribute):
            yield over(source, call, f"{source.of(call)}.eval()")


@kind("program-unpacked")
def _unpacked(source: Source) -> Iterator[Plant]:
    for export in source.exports:
        statement = source.parents[export.call]
        if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
            yield over(source, statement.targets[0], f"{statement.targets[0].id}, _guards")


@kind("decompositions-lost")
def _thrown_away(source: Source) -> Iterator[Plant]:
    """`ep = ep.run_decompositions()` → `ep.run_decompositions()`."""
    for node in source.nodes:
        if not (isinstance(node, ast.Assign) and isinstance(node.value, ast.Call) and source.counts(node)):
            continue
        function = node.value.func
        if (
            isinstance(function, ast.Attribute)
            and function.attr == "run_decompositions"
            and isinstance(function.value, ast.Name)
            and source.of(node.targets[0]) == function.value.id
        ):
            yield over(source, node, source.of(node.value))


@kind("method-exported")
def _method(source: Source) -> Iterator[Plant]:
    """`model` → `model.forward`."""
    for export in source.exports:
        if isinstance(export.model, ast.Name | ast.Attribute):
            yield over(source, export.model, f"{source.of(export.model)}.forward")


@kind("saved-the-other-way")
def _swapped(source: Source) -> Iterator[Plant]:
    """`save(program, path)` → `save(path, program)`."""
    for call in source.calls("torch.export.save"):
        if len(call.args) > 1 and not any(isinstance(one, ast.Starred) for one in call.args):
            first, second = call.args[:2]
            edits = (*source.text.over(first, source.text.of(second)), *source.text.over(second, source.text.of(first)))
            yield Plant(edits, (source.statement(call),))


@kind("package-suffix")
def _suffix(source: Source) -> Iterator[Plant]:
    for call in source.calls(PACKAGE):
        given = keyword(call, "package_path")
        path = None if given is None else source.value(given.value)
        name = text_of(path)
        if path is not None and name is not None and name.endswith(".pt2"):
            yield over(source, path, f'"{name.removesuffix(".pt2")}.zip"', source.statement(call))


@kind("package-positional")
def _positional(source: Source) -> Iterator[Plant]:
    """`package_path` without its name."""
    for call in source.calls(PACKAGE):
        given = keyword(call, "package_path")
        if given is not None and len(call.keywords) == 1:
            start = source.text.start(given)
            yield Plant(((start, start + len("package_path="), b""),), (source.statement(call),))


@kind("aot-compile-old")
def _deprecated(source: Source) -> Iterator[Plant]:
    for call in source.calls(LOAD):
        if source.has_torch:
            yield over(source, call.func, "torch._export.aot_load")


@kind("forward-branch")
def _branch(source: Source) -> Iterator[Plant]:
    for body, name in _forwards(source):
        yield from before(source, body, f"if {name}.sum() > 0:", f"    {name} = {name} + 1")


@kind("forward-loop")
def _loop(source: Source) -> Iterator[Plant]:
    for body, name in _forwards(source):
        yield from before(source, body, f"for _ in range(int({name}.sum())):", f"    {name} = {name} + 1")


@kind("forward-numpy")
def _numpy(source: Source) -> Iterator[Plant]:
    for body, name in _forwards(source, strict=False):
        yield from before(source, body, f"_seen = {name}.detach().numpy()")


@kind("onnx-keyword")
def _onnx_keyword(source: Source) -> Iterator[Plant]:
    wrong = {"input_names": "input_name", "opset_version": "opset", "dynamic_axes": "dynamic_axis"}
    yield from misspelt(source, ONNX, wrong)


@kind("onnx-keyword-gone")
def _onnx_removed(source: Source) -> Iterator[Plant]:
    for call in source.calls(ONNX):
        yield Plant(source.text.with_keyword(call, b"enable_onnx_checker=False"), (source.statement(call),))


@kind("onnx-gone")
def _onnx_function(source: Source) -> Iterator[Plant]:
    for call in source.calls(ONNX):
        if source.has_torch:
            yield over(source, call.func, "torch.onnx.dynamo_export")


def _modules(source: Source) -> Iterator[tuple[ast.Call, str]]:
    """The calls of `module()` on a program that an export in the same function gave, with what stands for that."""
    made_here = {export.call for export in source.exports}
    for node in source.nodes:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "module":
            made = source.value(node.func.value)
            if made in made_here and source.counts(node) and not node.args:
                yield node, source.of(node.func.value)


def _forwards(source: Source, strict: bool = True) -> Iterator[tuple[ast.stmt, str]]:
    """The forwards of exported models of this file: the first statement, and the parameter that is a tensor.

    Without `strict`, those of strict exports are left out.
    """
    seen: set[ast.AST] = set()
    for export in source.exports:
        given = keyword(export.call, "strict")
        if not strict and given is not None and source.of(given.value) != "False":
            continue
        args = source.value(export.args)
        made = source.value(args.elts[0]) if isinstance(args, ast.Tuple) and args.elts else None
        is_made = isinstance(made, ast.Call) and source.full(made.func) in FACTORIES
        model = source.model_class(export.model)
        for method in [] if model is None else model.body:
            if isinstance(method, ast.FunctionDef) and method.name == "forward" and method not in seen:
                seen.add(method)
                parameters = method.args.args[1:2]
                if parameters and (is_made or is_tensor(parameters[0].annotation)):
                    body = method.body[1:] if ast.get_docstring(method) is not None else method.body
                    if body:
                        yield body[0], parameters[0].arg
