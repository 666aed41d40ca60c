"""In which way compiled code is called: what torch's guards surely ask of what it is given and of its module.

Two calls that differ in it need code of their own each. What the code may not look at, and what torch may leave open
(a size, an int that differs, a float), differs in nothing. Run on torch 2.13.0, see the rule AOTI720.
"""

from __future__ import annotations

from typing import Any

from aoti_lint.ir import nodes
from aoti_lint.language import access, functions
from aoti_lint.language.classes import modules
from aoti_lint.lazily.dataclass import dataclass, field
from aoti_lint.machine.machine import Machine
from aoti_lint.values.call import Call
from aoti_lint.values.torch_values import Tensor
from aoti_lint.values.values import FALSE, NONE, TRUE, Bound, Class, Compilation, Const, Func, Obj, Ref, Value

_HARMLESS = frozenset(
    {"len", "range", "isinstance", "int", "float", "bool", "str", "min", "max", "abs", "print", "super"}
)
"""Functions of Python that change nothing in a module."""
_OPS = ("torch", "torch.nn.functional", "torch.linalg", "torch.special", "torch.fft")
"""Where functions are whose arguments become part of a graph, but for those that only ask what something is."""


def way_of(m: Machine, call: Call, by: Compilation, model: Value) -> dict[str, Any]:
    """What the guards of a call ask for, as parts of a `CompiledCall`; empty where the code or inputs are not known."""
    func, module = _function(m, model)
    if call.open or by.option("isolate_recompiles") not in (NONE, TRUE, FALSE):
        return {}
    apart = str(by.ident) if by.option("isolate_recompiles") == TRUE else ""
    of = "" if module is None else str(module.ident)
    static = by.option("dynamic") == FALSE
    if isinstance(func, Ref):
        first = m.see(call.args[0]) if len(call.args) == 1 and not call.kwargs else NONE
        return {"of": of, "code": (func.name, apart), "way": (("the input", _shown(first, static, False)),)}
    if func is None or (isinstance(func.node, nodes.FunctionDef) and func.node.is_generator):
        return {}
    given = functions.bind_arguments(m, call, func, module)
    looked = _Looked(m, func, {name: m.see(value) for name, value in given.items()}, module)
    looked.read_through()
    way = tuple((name, _shown(value, static, whole)) for name, (value, whole) in sorted(looked.asked.items()))
    counted = looked.counted if modules.is_module(m, module or NONE) else ""
    return {"of": of, "code": (func.place, apart), "way": way, "counted": counted}


def _function(m: Machine, model: Value) -> tuple[Func | Ref | None, Obj | None]:
    """The function whose code is compiled, and the object it is a method of; of a layer of torch its class."""
    match model:
        case Func():
            return model, None
        case Bound(receiver=Obj() as receiver, func=Func() as func):
            return func, receiver
        case Obj(kind="module", cls=Ref() as cls):
            return cls, model
        case Obj(cls=Class() as cls) if modules.is_module(m, model):
            found = access.class_member(m, cls, "forward")
            return (found[0], model) if found is not None and isinstance(found[0], Func) else (None, None)
    return None, None


def _shown(value: Value, static: bool, whole: bool) -> str:
    """What a guard asks of a value. `static`: torch leaves no number open; `whole`: this one it does not."""
    match value:
        case Tensor(shape=tuple() as shape, dtype=str() as dtype):
            sizes = [one.value for one in shape if isinstance(one, Const)]
            known = static and len(sizes) == len(shape)
            return f"{dtype}, {f'sizes {sizes}' if known else f'{len(shape)} dimensions'}"
        case Const(bool() | str() | bytes() | None as plain):
            return repr(plain)
        case Const(int() as number):
            return repr(number) if static or whole else "an int"
        case Const(float() as number):
            return repr(number) if static else "a float"
        case Ref(name) if name.startswith("torch."):
            return name
    return "?"


def _binds(body: list[nodes.Stmt], name: str) -> int:
    """How often the statements of a body bind an attribute of that name."""
    count = 0
    for one in body:
        match one:
            case nodes.Assign(targets=targets):
                pass
            case nodes.AugAssign(target=target) | nodes.AnnAssign(target=target):
                targets = [target]
            case _:
                targets = []
        count += sum(isinstance(target, nodes.Attr) and target.name == name for target in targets)
        match one:
            case nodes.If(body=first, orelse=second) | nodes.For(body=first, orelse=second):
                count += _binds([*first, *second], name)
            case nodes.While(body=first, orelse=second):
                count += _binds([*first, *second], name)
            case nodes.With(body=first):
                count += _binds(first, name)
            case nodes.Try(body=first, handlers=handlers, orelse=second, final=final):
                count += _binds([*first, *second, *final, *(s for h in handlers for s in h.body)], name)
    return count


@dataclass(slots=True)
class _Looked:
    """What the straight beginning of a function reads, up to where it may go one way or another."""

    m: Machine
    func: Func
    names: dict[str, Value]
    """The parameters that still hold what was given."""
    module: Obj | None
    asked: dict[str, tuple[Value, bool]] = field(default_factory=dict)
    """By name what is surely guarded, and whether as the very number that it is."""
    counted: str = ""
    """The attribute of the module that this call makes another int."""
    changed: set[str] = field(default_factory=set)
    """The attributes of the module that are no longer what they were."""
    local: set[str] = field(default_factory=set)
    """The names that the function itself has bound."""
    followed: bool = True
    """Whether nothing was called yet that may change the module."""

    def read_through(self) -> None:
        """Note all that is surely read."""
        if isinstance(self.func.node, nodes.Lambda):
            self._read_items(self.func.node.body)
        else:
            self._block(self.func.node.body)

    # ------------------------------------------------------------ statements

    def _block(self, body: list[nodes.Stmt]) -> bool:
        return all(self._statement(one) for one in body)

    def _statement(self, node: nodes.Stmt) -> bool:
        """Read a statement; whether the next one surely runs, too."""
        match node:
            case nodes.Assign(targets=targets, value=value):
                self._walk(value)
                for target in targets:
                    self._lost(target)
            case nodes.AugAssign(target=target, op=op, value=value):
                self._read(target)
                if op in "+-" and isinstance(value, nodes.Const) and type(value.value) is int and value.value:
                    self._count(target)
                self._read(value)
                self._lost(target)
            case nodes.AnnAssign(target=target, value=value):
                self._walk(value)
                self._lost(target)
            case nodes.ExprStmt(value=value):
                self._walk(value)
            case nodes.Return(value=value):
                self._read_items(value)
                return False
            case nodes.Assert(test=test):
                self._read(test)
            case nodes.If(test=test) | nodes.While(test=test):
                self._read(test)
                return False
            case nodes.For(iter=first):
                self._walk(first)
                return False
            case nodes.With(items=items, body=body):
                for item in items:
                    self._walk(item.value)
                    self._lost(item.target)
                return self._block(body)
            case nodes.Match(subject=subject):
                self._read(subject)
                return False
            case nodes.Jump(kind="pass") | nodes.Import() | nodes.ImportFrom():
                pass
            case _:
                return False
        return True

    def _lost(self, target: nodes.Expr | None) -> None:
        """What is assigned to holds something else from here on."""
        match target:
            case nodes.Name(id=name):
                self.names.pop(name, None)
                self.local.add(name)
            case nodes.Attr(name=name):
                self.changed.add(name)
            case nodes.Seq(items=items):
                for one in items:
                    self._lost(one)
            case nodes.Star(value=value):
                self._lost(value)
            case nodes.Sub(base=base, index=index):
                self._walk(base)
                self._read_items(index)

    # ------------------------------------------------------------ expressions

    def _read(self, node: nodes.Expr | None, whole: bool = False) -> None:
        """The value of an expression is looked at."""
        if isinstance(node, nodes.Name) and node.id in self.names:
            self._note(node.id, self.names[node.id], whole)
        elif isinstance(node, nodes.Attr) and (value := self._attribute(node)) is not None:
            of_module = self.module is not None and modules.is_module(self.m, self.module)
            self._note(f"self.{node.name}", value, whole or of_module)
        elif isinstance(node, nodes.Slice):
            for one in (node.lower, node.upper, node.step):
                self._read(one)
        else:
            self._walk(node)

    def _count(self, target: nodes.Expr) -> None:
        """An int is added to."""
        held = self._attribute(target) if isinstance(target, nodes.Attr) else None
        if not isinstance(target, nodes.Attr) or not isinstance(held, Const) or type(held.value) is not int:
            return
        if isinstance(self.func.node, nodes.FunctionDef) and _binds(self.func.node.body, target.name) == 1:
            self.counted = target.name

    def _read_items(self, node: nodes.Expr | None) -> None:
        """The value of an expression is looked at, and where it is written as a tuple or list, its items are."""
        for one in node.items if isinstance(node, nodes.Seq) else (node,):
            self._read(one)

    def _note(self, name: str, value: Value, whole: bool) -> None:
        before = self.asked.get(name)
        self.asked[name] = value, whole or (before is not None and before[1])

    def _attribute(self, node: nodes.Attr) -> Value | None:
        """What an attribute of the module was at the call, if it still is that."""
        own = self.func.node.params[0].name if self.module is not None and self.func.node.params else None
        if not isinstance(node.base, nodes.Name) or node.base.id != own or self.names.get(own) != self.module:
            return None
        if self.module is None or not self.followed or node.name in self.changed:
            return None
        held = self.m.read(self.module.ident, node.name)
        return None if held is None else self.m.see(held)

    def _walk(self, node: nodes.Expr | None) -> None:
        """An expression is evaluated: note what is looked at for that."""
        match node:
            case nodes.Attr(base=base):
                self._read(base)
            case nodes.Sub(base=base, index=index):
                layers = isinstance(base, nodes.Attr) and self._layer(base) is not None
                self._read(base)
                if layers:
                    self._read(index, whole=True)
                else:
                    self._read_items(index)
            case nodes.Call():
                self._call(node)
            case nodes.Bin(left=left, right=right):
                self._read(left)
                self._read(right)
            case nodes.Compare(left=left, rights=rights):
                self._read(left)
                self._read(rights[0])
            case nodes.Unary(value=value) | nodes.FormatField(value=value):
                self._read(value)
            case nodes.Bool(values=values):
                self._read(values[0])
            case nodes.IfExp(test=test):
                self._read(test)
            case nodes.Seq(items=parts) | nodes.Format(parts=parts):
                for one in parts:
                    self._walk(one)
            case nodes.DictDisplay(values=values):
                for one in values:
                    self._walk(one)
            case nodes.Star(value=value):
                self._walk(value)
            case nodes.Comp(generators=[first, *_]):
                self._walk(first.iter)
            case nodes.Walrus(target=target, value=value):
                self._walk(value)
                self._lost(target)

    def _call(self, node: nodes.Call) -> None:
        name = self._named(node.func)
        on_tensor = isinstance(node.func, nodes.Attr) and isinstance(self._held(node.func.base), Tensor)
        head, _, tail = (name or "").rpartition(".")
        is_op = on_tensor or (head in _OPS and not tail.startswith(("is_", "_")))
        layer = isinstance(node.func, nodes.Attr) and self._layer(node.func) is not None
        self._walk(node.func)
        for arg in node.args:
            if is_op or name in ("range", "len") or (layer and isinstance(self._held(arg.value), Tensor)):
                self._read(arg.value, whole=name == "range" or arg.name == "dim")
            else:
                self._walk(arg.value)
        if not is_op and not layer and name not in _HARMLESS and not head.startswith("torch"):
            self.followed = False

    def _named(self, func: nodes.Expr) -> str | None:
        """What a call calls, by its name in torch or among the functions of Python."""
        match func:
            case nodes.Name(id=name) if name not in self.names and name not in self.local:
                held = (self.m.read(owner, name) for owner in (*self.func.scopes, self.func.module.ident))
                found = next((one for one in held if one is not None), None)
                if found is None and name in _HARMLESS:
                    return name
                return found.name if isinstance(found, Ref) else None
            case nodes.Attr(base=base, name=name):
                above = self._named(base)
                return None if above is None else f"{above}.{name}"
        return None

    def _held(self, node: nodes.Expr) -> Value | None:
        return self.names.get(node.id) if isinstance(node, nodes.Name) else None

    def _layer(self, node: nodes.Attr) -> Obj | None:
        """The layer of torch that an attribute of the module is."""
        value = self._attribute(node)
        known = isinstance(value, Obj) and value.kind == "module" and isinstance(value.cls, Ref)
        return value if known and isinstance(value, Obj) else None
