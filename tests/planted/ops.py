"""Mistakes in custom operators and their fakes."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import lru_cache, partial

from tests.mutation import written
from tests.mutation.mutators import makes_outputs, mutants, names
from tests.mutation.source import Fake, keyword
from tests.planted.plant import KINDS, Plant, kind, over, renamed
from tests.planted.source import Function, Source, text_of

CUSTOM_OP = "torch.library.custom_op"
FAKE = "torch.library.register_fake"
LIBRARY = "torch.library.Library"


@kind("op-mutates-missing")
def _no_mutates_args(source: Source) -> Iterator[Plant]:
    for _, call, _ in _ops(source):
        given = keyword(call, "mutates_args")
        if given is not None:
            yield Plant(source.text.without(call, given), (source.statement(call),))


@kind("op-mutates-unknown")
def _mutates_another(source: Source) -> Iterator[Plant]:
    """`mutates_args` names no parameter."""
    for _, call, _ in _ops(source):
        given = keyword(call, "mutates_args")
        for one in given.value.elts if given is not None and isinstance(given.value, ast.Tuple | ast.List) else []:
            if text_of(one) is not None:
                yield over(source, one, f'"{text_of(one)}_x"')


@kind("op-mutates-emptied")
def _mutates_nothing(source: Source) -> Iterator[Plant]:
    """`mutates_args` is empty, and the function writes into a parameter itself."""
    for function, call, _ in _ops(source):
        given = keyword(call, "mutates_args")
        if given is not None and isinstance(given.value, ast.Tuple | ast.List) and given.value.elts:
            said = {text_of(one) for one in given.value.elts}
            if said & set(_written(function)):
                yield over(source, given.value, "()", function)


@kind("op-annotation")
def _annotation_gone(source: Source) -> Iterator[Plant]:
    for function, call, _ in _ops(source):
        if keyword(call, "schema") is None:
            for one in function.args.args[:1]:
                if one.annotation is not None:
                    edit = (source.text.start(one) + len(one.arg), source.text.end(one.annotation), b"")
                    yield Plant((edit,), (function,))


@kind("op-namespace")
def _no_namespace(source: Source) -> Iterator[Plant]:
    for function, call, name in _ops(source):
        yield over(source, call.args[0], f'"{name.partition("::")[2]}"', function)


@kind("op-keyword")
def _keyword(source: Source) -> Iterator[Plant]:
    for _, call, _ in _ops(source):
        for given in call.keywords:
            if given.arg == "device_types":
                yield renamed(source, call, given, "devices")


@kind("op-called")
def _another_op(source: Source) -> Iterator[Plant]:
    """A call of an op that nothing defines, beside the one that this file does."""
    known = {name.replace("::", ".") for _, _, name in _ops(source)}
    for node in source.nodes:
        if isinstance(node, ast.Attribute) and source.counts(node):
            name = source.full(node).removeprefix("torch.ops.")
            if name in known:
                yield over(source, node, f"{source.of(node)}_x")


@kind("fake-of-no-op")
def _fake_of_another(source: Source) -> Iterator[Plant]:
    known = {name for _, _, name in _ops(source)}
    for call in source.calls(FAKE):
        name = call.args[0] if call.args else None
        if name is not None and text_of(name) in known:
            yield over(source, name, f'"{text_of(name)}_x"')


@kind("fake-missing")
def _no_fake(source: Source) -> Iterator[Plant]:
    """The only fake of an op is no longer registered."""
    for function, _, _ in _ops(source):
        fakes = [(one, deco) for one in source.nodes if isinstance(one, Function)
                 for deco in one.decorator_list if source.of(deco) == f"{function.name}.register_fake"]  # fmt: skip
        if len(fakes) == 1:
            (fake, decorator), = fakes  # fmt: skip
            start = source.text.start(decorator)
            edit = (start - 1, source.text.end(decorator), b"# ")
            yield Plant((edit,), (function, fake))


@kind("schema-type")
def _schema_type(source: Source) -> Iterator[Plant]:
    """A type that no schema has."""
    for text in _schemas(source):
        if "Tensor" in source.of(text):
            yield over(source, text, source.of(text).replace("Tensor", "Tenzor", 1))


@kind("schema-unclosed")
def _schema_arrow(source: Source) -> Iterator[Plant]:
    """`(…) -> …` without its arrow."""
    for text in _schemas(source):
        if "->" in source.of(text):
            yield over(source, text, source.of(text).replace("->", "", 1))


@kind("dispatch-key")
def _dispatch_key(source: Source) -> Iterator[Plant]:
    """A device where a dispatch key belongs."""
    for call in _of_libraries(source, "impl"):
        key = source.argument(call, 2, "dispatch_key")
        if key is not None and text_of(key) in ("CPU", "CUDA", "Meta", "XPU"):
            yield over(source, key, source.of(key).lower())


def _of_fake(name: str, source: Source) -> Iterator[Plant]:
    """What the tests of `mutation` do to a fake, where the fake or its kernel shows the mistake."""
    yield from (plant for mutator, plant in _broken_fakes(source) if mutator == name)


_PLACED = ("device-fixed", "device-dropped")
"""Right where the kernel gives its outputs on that device, whatever the inputs are on."""


@lru_cache(maxsize=1)
def _broken_fakes(source: Source) -> list[tuple[str, Plant]]:
    kernels = {name: function for function, _, name in _ops(source)}
    by_function = {function.name: function for function, _, _ in _ops(source)}
    found: list[tuple[str, Plant]] = []
    for function in written.fakes(source.text.tree) if kernels else []:
        kernel: Function | None = None
        for one in function.decorator_list:
            if isinstance(one, ast.Attribute) and isinstance(one.value, ast.Name):
                kernel = kernel or by_function.get(one.value.id)
            elif isinstance(one, ast.Call) and one.args:
                kernel = kernel or kernels.get(text_of(one.args[0]) or "")
        makes = isinstance(kernel, ast.FunctionDef) and makes_outputs(kernel)
        if kernel is not None and source.counts(function):
            fake = Fake(source.text, function, schema=True, kernel=makes)
            of_fake = [
                one for one in mutants(fake) if one.knowable != "neither" and (makes or one.mutator not in _PLACED)
            ]
            found += [(one.mutator, Plant(one.edits, (function, kernel))) for one in of_fake]
    return found


KINDS.update({f"fake-{name}": partial(_of_fake, name) for name in names() if name not in ("swap", "other-size")})
"""Sizes that change places may be the same."""


def _ops(source: Source) -> Iterator[tuple[Function, ast.Call, str]]:
    """The functions that are custom ops, with the decorator and the name in it."""
    for call in source.calls(CUSTOM_OP):
        function = source.parents[call]
        name = text_of(call.args[0]) if call.args else None
        if isinstance(function, Function) and call in function.decorator_list and name is not None and "::" in name:
            yield function, call, name


def _of_libraries(source: Source, method: str) -> Iterator[ast.Call]:
    """The calls of a method of libraries that this file makes."""
    made = {source.of(one.targets[0]) for one in source.nodes if isinstance(one, ast.Assign)
            and isinstance(one.value, ast.Call) and source.full(one.value.func) == LIBRARY}  # fmt: skip
    for node in source.nodes:
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
            continue
        if node.func.attr == method and source.of(node.func.value) in made and source.counts(node):
            yield node


def _schemas(source: Source) -> Iterator[ast.expr]:
    """The schemas that are written where an op is defined."""
    found = [source.argument(call, 0, "schema") for call in _of_libraries(source, "define")]
    found += [source.argument(call, 1, "schema") for call in source.calls("torch.library.define")]
    yield from (one for one in found if one is not None and text_of(one) is not None)


def _written(function: Function) -> Iterator[str]:
    """The parameters that a function certainly writes into: `x[…] = …`, `x.copy_(…)`."""
    for statement in function.body:
        target: ast.AST | None = None
        if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Subscript):
            target = statement.targets[0].value
        elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
            called = statement.value.func
            if isinstance(called, ast.Attribute) and called.attr.endswith("_") and not called.attr.endswith("__"):
                target = called.value
        if isinstance(target, ast.Name):
            yield target.id
