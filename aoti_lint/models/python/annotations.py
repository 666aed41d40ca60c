"""What the annotations of a function mean, read without running anything."""

from __future__ import annotations

from aoti_lint.ir import nodes
from aoti_lint.language import imports
from aoti_lint.language.expressions import BUILTINS
from aoti_lint.machine.machine import Machine
from aoti_lint.torch_api.schemas.annotations import Inferred, Resolve, infer
from aoti_lint.values.values import Const, Func, Namespace, Obj, Pairs, Ref, Tup, Value

STRINGS = Ref("__future__.annotations")
SIGNATURE = Ref("inspect.Signature")


def infer_of(m: Machine, func: Value | None, mutates: Value | None) -> Inferred | None:
    """What `infer_schema` makes of a function of the project; None for anything else.

    Of a wrapper made with `functools.wraps` it is the signature of what is wrapped, as `inspect.signature` has it.
    """
    func = unwrapped(m, func)
    if not (isinstance(func, Func) and isinstance(func.node, nodes.FunctionDef)):
        return None
    strings = m.read(func.module.ident, "annotations") == STRINGS
    return infer(func.node, func.module.path, resolver(m, func), mutated(mutates), strings=strings)


def unwrapped(m: Machine, func: Value | None) -> Value | None:
    """The function whose signature `inspect.signature` gives for a function; None where it is not known."""
    while isinstance(func, Func):
        if (said := m.read(func.ident, "__signature__")) is not None:
            func = _signed(m, m.see(said))
        elif (wrapped := m.read(func.ident, "__wrapped__")) is not None:
            func = m.see(wrapped)
        else:
            break
    return func


def _signed(m: Machine, signature: Value) -> Value | None:
    """The function that a signature was taken of; None where it is not known."""
    if not isinstance(signature, Obj) or signature.cls != SIGNATURE:
        return None
    of = m.read(signature.ident, "of")
    return None if of is None else m.see(of)


def mutated(given: Value | None) -> frozenset[str] | None:
    """The names in a frozen `mutates_args`; None where they are not all known, or said to be "unknown"."""
    match given:
        case Tup(items):
            values = items
        case Pairs(pairs):
            values = tuple(key for key, _ in pairs)
        case _:
            return None
    names = [item.value for item in values if isinstance(item, Const) and isinstance(item.value, str)]
    return frozenset(names) if len(names) == len(values) else None


def resolver(m: Machine, func: Func) -> Resolve:
    """What the names in the annotations of `func` mean, by qualified name."""

    def value_of(node: nodes.Expr) -> Value | None:
        match node:
            case nodes.Name(id=name):
                for scope in (*func.scopes, func.module.ident):
                    found = m.read(scope, name)
                    if found is not None:
                        return m.see(found)
                return imports.starred(m, func.module, name) or (Ref(name) if name in BUILTINS else None)
            case nodes.Attr(base=base, name=name):
                owner = value_of(base)
                if isinstance(owner, Namespace):
                    return m.read(owner.ident, name)
                return Ref(f"{owner.name}.{name}") if isinstance(owner, Ref) else None
        return None

    def resolve(node: nodes.Expr) -> str:
        found = value_of(node)
        return found.name if isinstance(found, Ref) else ""

    return resolve
