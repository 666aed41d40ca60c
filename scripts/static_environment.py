"""Which environment variables torch's Python code reads, when, and how it understands the text; read from source.

A variable is found where its name stands at `os.environ.get(...)`, `os.getenv(...)`, `os.environ[...]` or
`... in os.environ`, at `Config(env_name_default=...)`, or at a call of a function of torch that reads the variable it
is told. A name that is put together at run time is not found.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from static_configs import is_call_of, outside_meta
from static_modules import Import, SourceTree
from static_understanding import TEXT, Understanding, combine, understand

_MENTIONS = re.compile(r"\b(environ|getenv|env_name_default|env_name_force)\b")
_GETTERS = ("os.environ.get", "os.getenv", "os.environ.pop", "os.environ.setdefault")
_NOT_INDENTED = r"^(?!from |import |def |class |#|@)\S.*\b{}\b"

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, order=True)
class Reading:
    """One place that reads a variable.

    `module` is the module that has to be imported ("import": read at that moment) or whose function has to be called
    ("call"). `key` is the setting the value goes to, when `module` is a config module. `default` is the source text of
    what takes the place of a variable that is not set, "" when there is none.
    """

    module: str
    moment: str
    how: str
    words: tuple[str, ...] = ()
    default: str = ""
    key: str = ""


@dataclass
class _Access:
    """One expression that reads: `name` is the expression that names the variable, `result` the one with its text."""

    name: ast.expr
    result: ast.expr
    default: str = ""
    understanding: Understanding | None = None


@dataclass
class _Module:
    """One parsed module."""

    name: str
    tree: ast.Module
    is_config: bool
    os_names: dict[str, str] = field(default_factory=dict)
    imported_inside: dict[str, tuple[str, str]] = field(default_factory=dict)
    named: dict[str, list[ast.AST]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for node in ast.walk(self.tree):
            if isinstance(node, (ast.Name, ast.Attribute)):
                self.named.setdefault(node.id if isinstance(node, ast.Name) else node.attr, []).append(node)
            elif isinstance(node, ast.Import):
                self.os_names |= {alias.asname or "os": "os" for alias in node.names if alias.name == "os"}
            elif isinstance(node, ast.ImportFrom) and node.module == "os":
                self.os_names |= {alias.asname or alias.name: f"os.{alias.name}" for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                self.imported_inside |= {a.asname or a.name: (node.module, a.name) for a in node.names}

    @cached_property
    def parents(self) -> dict[ast.AST, ast.AST]:
        """Node -> the node it stands in."""
        return {child: node for node in ast.walk(self.tree) for child in ast.iter_child_nodes(node)}

    def dotted(self, node: ast.AST) -> str:
        """ "os.environ.get" for such an expression, whatever `os` was imported as; "" for any other expression."""
        if isinstance(node, ast.Attribute):
            base = self.dotted(node.value)
            return f"{base}.{node.attr}" if base else ""
        return self.os_names.get(node.id, node.id) if isinstance(node, ast.Name) else ""

    def above(self, node: ast.AST) -> Iterator[ast.AST]:
        while node in self.parents:
            node = self.parents[node]
            yield node

    def function(self, node: ast.AST) -> Function | ast.Lambda | None:
        """The innermost function in whose body `node` stands; its decorators and defaults run outside it."""
        inner = node
        for outer in self.above(node):
            if isinstance(outer, ast.Lambda) and inner is outer.body:
                return outer
            if isinstance(outer, (ast.FunctionDef, ast.AsyncFunctionDef)) and inner in outer.body:
                return outer
            inner = outer
        return None

    def outermost(self, node: ast.AST) -> Function | ast.Lambda | ast.If | None:
        """The outermost function around `node`, or the `if __name__ == "__main__"`: neither runs at import."""
        for outer in self.above(node):
            if isinstance(outer, ast.If) and ast.unparse(outer.test) == "__name__ == '__main__'":
                return outer
        found = None
        while (function := self.function(node)) is not None:
            found = node = function
        return found

    def key(self, node: ast.AST) -> str:
        """The setting that the statement around `node` gives a value, "" outside a config module."""
        if not self.is_config:
            return ""
        name = ""
        for outer in self.above(node):
            if isinstance(outer, ast.Assign) and not name and isinstance(outer.targets[0], ast.Name):
                name = outer.targets[0].id
            elif isinstance(outer, ast.AnnAssign) and not name:
                name = ast.unparse(outer.target)
            elif isinstance(outer, ast.ClassDef) and name:
                name = f"{outer.name}.{name}"
        return name


@dataclass(frozen=True)
class _Helper:
    """A function that reads the variable its caller names with a parameter; `position` is -1 for a keyword only."""

    parameter: str
    position: int
    understanding: Understanding
    default: str


@dataclass(frozen=True)
class _Read:
    """A variable read at `place`, a node of `module`."""

    module: _Module
    place: ast.AST
    variable: str
    understanding: Understanding
    default: str


Site = tuple[str, str]
"""A module and a function at its top level; "" is the module itself."""


class _Environment:
    """The readings of one torch."""

    def __init__(self, tree: SourceTree, config_modules: list[str]) -> None:
        self._tree = tree
        self._configs = set(config_modules)
        self._texts = {module: tree.source(module) for module in tree.modules() if ".testing." not in module}
        self._words = {module: set(re.findall(r"\w+", text)) for module, text in self._texts.items()}
        self._modules = {module: self._parse(module) for module, text in self._texts.items() if _MENTIONS.search(text)}
        self._reads: list[_Read] = []
        helpers: dict[Site, set[_Helper]] = defaultdict(set)
        for module in self._modules.values():
            self._own_reads(module, helpers)
        self._reads_of_helpers(helpers)

    def readings(self) -> dict[str, set[Reading]]:
        """Variable -> its readings."""
        grouped: defaultdict[tuple[str, int, str, str, str], list[_Read]] = defaultdict(list)
        by_function: defaultdict[Site, list[_Read]] = defaultdict(list)
        for read in self._reads:
            function = read.module.outermost(read.place)
            if function is None:
                key = read.module.key(read.place)
                grouped[read.module.name, 0, "import", key, read.variable].append(read)
            elif isinstance(function, Function) and read.module.parents[function] is read.module.tree:
                by_function[read.module.name, function.name].append(read)
            else:
                grouped[read.module.name, id(function), "call", "", read.variable].append(read)
        for site, (at_import, later) in self._moments(set(by_function)).items():
            for read in by_function[site]:
                if later:
                    grouped[site[0], id(site), "call", "", read.variable].append(read)
                for module, key in at_import:
                    grouped[module, id(site), "import", key, read.variable].append(read)
        found: defaultdict[str, set[Reading]] = defaultdict(set)
        for (module, _, moment, key, variable), reads in grouped.items():
            whole = combine([read.understanding for read in reads])
            default = min((read.default for read in reads if read.default), default="")
            found[variable].add(Reading(module, moment, whole.how, whole.words, default, key))
        return dict(found)

    def _parse(self, module: str) -> _Module:
        return _Module(module, ast.parse(self._texts[module]), module in self._configs)

    def _own_reads(self, module: _Module, helpers: dict[Site, set[_Helper]]) -> None:
        for access in self._accesses(module):
            part = access.understanding or understand(access.result, module.parents, module.function(access.result))
            named = self._variables(module, access.name)
            self._reads += [_Read(module, access.result, variable, part, access.default) for variable in named]
            function = module.function(access.result)
            if not named and isinstance(access.name, ast.Name) and isinstance(function, Function):
                name = access.name.id
                by_position = [argument.arg for argument in (*function.args.posonlyargs, *function.args.args)]
                if name in by_position or name in [argument.arg for argument in function.args.kwonlyargs]:
                    by_position = by_position[1:] if by_position[:1] in (["self"], ["cls"]) else by_position
                    position = by_position.index(name) if name in by_position else -1
                    helpers[module.name, function.name].add(_Helper(name, position, part, access.default))

    def _accesses(self, module: _Module) -> Iterator[_Access]:
        for node in ast.walk(module.tree):
            if isinstance(node, ast.Call) and module.dotted(node.func) in _GETTERS and node.args:
                default = [*node.args[1:], *(word.value for word in node.keywords if word.arg == "default")]
                yield _Access(node.args[0], node, ast.unparse(outside_meta(default[0])) if default else "")
            elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
                if module.dotted(node.value) == "os.environ":
                    yield _Access(node.slice, node)
            elif isinstance(node, ast.Compare) and isinstance(node.ops[0], (ast.In, ast.NotIn)):
                if module.dotted(node.comparators[0]) == "os.environ":
                    yield _Access(node.left, node, understanding=Understanding("presence"))
            elif isinstance(node, ast.Call) and is_call_of(node, "Config"):
                yield from self._of_config(node)

    def _of_config(self, call: ast.Call) -> Iterator[_Access]:
        given = {word.arg: word.value for word in call.keywords if word.arg}
        default = given.get("default", call.args[0] if call.args else None)
        for word in ("env_name_default", "env_name_force"):
            names = given.get(word)
            for name in names.elts if isinstance(names, (ast.List, ast.Tuple)) else [names] if names else []:
                yield _Access(
                    name, call, ast.unparse(outside_meta(default)) if default else "", self._config_understanding()
                )

    def _config_understanding(self) -> Understanding:
        """What `Config` makes of other texts than "1" and "0": it ignores them at first (2.6), later it keeps them."""
        source = self._tree.source("torch.utils._config_module")
        reads = re.search(r"def _read_env_variable.*?\n    return (\w+)\n", source, re.DOTALL)
        return Understanding("switch or text" if reads and reads[1] == "value" else "switch")

    def _variables(self, module: _Module, name: ast.expr) -> list[str]:
        """The names of variables that the expression can stand for, as far as the source shows them."""
        if isinstance(name, ast.Constant):
            return [name.value] if isinstance(name.value, str) else []
        if isinstance(name, ast.Name):
            given = [text for value in _given(module, name) for text in _texts(value)]
            return given or self._constant(module.name, name.id)
        owner, _, last = module.dotted(name).rpartition(".")
        owner = self._owner(module, owner)
        return self._constant(owner, last) if owner in self._tree else []

    def _constant(self, module: str, name: str) -> list[str]:
        place = self._tree.resolve(module, name) if self._tree.facts(module) else None
        nodes = self._tree.nodes(*place) if place else []
        return [node.value for node in nodes[-1:] if isinstance(node, ast.Constant) and isinstance(node.value, str)]

    def _reads_of_helpers(self, helpers: dict[Site, set[_Helper]]) -> None:
        """Add what functions read for a caller that names the variable."""
        for module, node, site in list(self._references(set(helpers))):
            call = module.parents.get(node)
            if not isinstance(call, ast.Call) or call.func is not node:
                continue
            for helper in helpers[site]:
                given = {word.arg: word.value for word in call.keywords}
                name = given.get(helper.parameter)
                if name is None and 0 <= helper.position < len(call.args):
                    name = call.args[helper.position]
                for variable in self._variables(module, name) if name is not None else []:
                    part = helper.understanding
                    if part == TEXT:
                        part = understand(call, module.parents, module.function(call))
                    self._reads.append(_Read(module, call, variable, part, helper.default))

    def _moments(self, sites: set[Site]) -> dict[Site, tuple[set[tuple[str, str]], bool]]:
        """For each function: the modules (and settings) at whose import it runs, and whether it runs later too.

        One that nothing in torch names runs when somebody calls it.
        """
        callers: defaultdict[Site, set[Site]] = defaultdict(set)
        at_import: defaultdict[Site, set[tuple[str, str]]] = defaultdict(set)
        later: set[Site] = set()
        waiting, seen = set(sites), set(sites)
        while waiting:
            for module, node, site in list(self._references(waiting, later)):
                function = module.outermost(node)
                parent = module.parents.get(node)
                if function is None and isinstance(parent, ast.Call) and parent.func is node:
                    at_import[site].add((module.name, module.key(node)))
                elif isinstance(function, Function) and module.parents[function] is module.tree:
                    callers[site].add((module.name, function.name))
                else:
                    later.add(site)
            # Which import runs a caller elsewhere cannot be told from here: its own callers are too many.
            for site in waiting:
                later |= {site for module, _ in callers[site] if module != site[0]}
            waiting = {caller for site in waiting for caller in callers[site] if caller[0] == site[0]} - seen
            seen |= waiting
        later |= {site for site in seen if not at_import[site] and not callers[site]}
        for _ in range(len(seen)):
            before = (len(later), sum(map(len, at_import.values())))
            for site in seen:
                for caller in callers[site]:
                    at_import[site] |= at_import[caller]
                    later |= {site} if caller in later else set()
            if before == (len(later), sum(map(len, at_import.values()))):
                break
        return {site: (at_import[site], site in later or not at_import[site]) for site in sites}

    def _references(
        self, sites: set[Site], elsewhere: set[Site] | None = None
    ) -> Iterator[tuple[_Module, ast.AST, Site]]:
        """Every node of torch that names one of the functions.

        With `elsewhere`, a module that reads no variable itself is parsed only when it may call the function at import
        (a line that is not indented has its name); otherwise its functions are added to `elsewhere`.
        """
        by_name: defaultdict[str, set[Site]] = defaultdict(set)
        for site in sites:
            by_name[site[1]].add(site)
        for module_name, words in self._words.items():
            mentioned = {
                name: {site for site in by_name[name] if site[0] == module_name or words & set(site[0].split(".")[1:])}
                for name in by_name.keys() & words
            }
            mentioned = {name: places for name, places in mentioned.items() if places}
            module = self._modules.get(module_name)
            if module is None and elsewhere is not None:
                for name in list(mentioned):
                    if not re.search(_NOT_INDENTED.format(name), self._texts[module_name], re.MULTILINE):
                        elsewhere |= mentioned.pop(name)
            if not mentioned:
                continue
            module = module or self._parse(module_name)
            self._modules[module_name] = module
            for node in (node for name in sorted(mentioned) for node in module.named.get(name, ())):
                place = self._place(module, node)
                if place in sites:
                    yield module, node, place

    def _place(self, module: _Module, node: ast.AST) -> Site | None:
        """The function of torch that `node` names."""
        if isinstance(node, ast.Name):
            if not isinstance(node.ctx, ast.Load):
                return None
            return self._tree.resolve(module.name, node.id) or module.imported_inside.get(node.id)
        if not isinstance(node, ast.Attribute):
            return None
        if isinstance(node.value, ast.Name) and node.value.id in ("self", "cls"):
            return module.name, node.attr
        owner = self._owner(module, module.dotted(node.value))
        return self._tree.resolve(owner, node.attr) if owner in self._tree else None

    def _owner(self, module: _Module, written: str) -> str:
        """The full name of what `written` stands for in `module`: imports are followed."""
        head, dot, rest = written.partition(".")
        nodes = self._tree.nodes(module.name, head)
        if nodes and isinstance(nodes[-1], Import):
            attribute = nodes[-1].attribute
            head = f"{nodes[-1].module}.{attribute}" if attribute else nodes[-1].module
        return f"{head}{dot}{rest}"


def environment(tree: SourceTree, config_modules: list[str]) -> dict[str, set[Reading]]:
    """Variable -> the places of torch's Python code that read it, without torch's tests.

    Takes what `config_modules` gives for the same tree.
    """
    return _Environment(tree, config_modules).readings()


def _given(module: _Module, name: ast.Name) -> Iterator[ast.expr]:
    """What the function around `name` gives it: the right side of an assignment, or the items of a literal loop."""
    function = module.function(name)
    for outer in module.above(name):
        loops = [outer] if isinstance(outer, ast.For) else getattr(outer, "generators", [])
        for loop in loops:
            if isinstance(loop.target, ast.Name) and loop.target.id == name.id:
                yield from loop.iter.elts if isinstance(loop.iter, (ast.List, ast.Tuple)) else []
        if outer is function:
            break
    for node in ast.walk(function) if function else ():
        if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == name.id for t in node.targets):
            yield node.value


def _texts(node: ast.expr) -> list[str]:
    return [node.value] if isinstance(node, ast.Constant) and isinstance(node.value, str) else []
