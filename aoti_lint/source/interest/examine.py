"""What a file speaks of, judged by its compiled code: names in comments and strings do not count."""

from __future__ import annotations

import re
import warnings
from collections.abc import Mapping
from types import CodeType

from aoti_lint.lazily.regex import regex
from aoti_lint.source.interest import needles
from aoti_lint.source.interest.bytecode import EXPORT, TYPES_OF_EXPORT, arguments, loaded, names_in, own_names, stored
from aoti_lint.source.interest.imported import AROUND_OP, IMPORT, MAX_HELPERS, MEMBER, OP, pairs

# Names that say what a file is about. Using one makes the top-level function around it matter to its importers, too.
_CARRIED = regex(
    r"^(?:_?aoti\w*|AOTI\w*|aot_(?:compile|load)\w*|load_package|draft_export|export_for_\w+"
    r"|capture_pre_autograd_graph|dynamic_dim)$",
    re.MULTILINE,
)
# Those that register custom ops. What uses a project's own function around them registers one, too; what uses that in
# turn only calls the op.
_REGISTERING = regex(r"^(?:(?:direct_register_)?custom_op|_?register_fake|impl_abstract|infer_schema)$", re.MULTILINE)
# A function that is made an op: who calls it calls the op.
_OP = regex(
    rb"^@[\w.]*(?:custom_op|triton_op)\b(?:[^\n]*\n)(?:(?!def\b|class\b|async\b)[^\n]*\n){0,20}?def[ \t]+(\w+)",
    re.MULTILINE,
)
# What defines ops when a module is imported: who does that may then call them by `torch.ops`.
_DEFINING = frozenset({"custom_op", "triton_op", "Library", "define"})
_OPS = "ops"
_OWN_OPS = regex(
    rb"\bops[ \t]*\.[ \t]*(?!aten\b|prims?\b|quantized|higher_order\b|_c10d|c10d|loaded_libraries\b|load_)"
)
# `EXPORT` is another one, where the file has it from torch: much else is exported.
# So is this, for those that use it through one function: most of what runs compiled code is far from that.
_COMPILE = "compile"
# `model.compile(…)`, with an argument that only torch takes or with none: a regular expression needs one.
_IN_PLACE = regex(rb"\.[ \t]*compile\(\s*(?:\)|(?:fullgraph|dynamic|backend|mode|options|disable)[ \t]*=)")
_TORCH_ITSELF = regex(
    rb"\b(\w+)[ \t]*=[ \t]*(?:torch[ \t]*(?:[#\r\n]|$)|[\w.]*import\w*\(\s*[\"']torch)"
    rb"|\bimport\b[^\r\n]{0,500}\btorch[ \t]+as[ \t]+(\w+)"
)
# Names that make a file matter, but not those that import from it.
_LOCAL = regex(
    r"^(?:_export|_inductor|_dynamo|_functorch|_higher_order_ops|library|Library|load_library|triton_op|register_kernel"
    r"|cpp_extension|load_inline|dynamo_export|set_logs|OnnxRegistry|ONNXRuntimeOptions|\w*pt2e\w*|\w+_quantizer)$",
    re.MULTILINE,
)
# The same, where the file has them from torch.
_OF_TORCH = ("Dim", "cond", "while_loop", "flex_attention")
_LOAD = frozenset({"load"})
# Names of `torch.compiler` that every supported release has: what asks for no other says nothing that may be wrong.
ALWAYS_THERE = (
    "allow_in_graph", "assume_constant_result", "compile", "cudagraph_mark_step_begin", "disable", "is_compiling",
    "is_dynamo_compiling", "list_backends", "reset", "wrap_numpy",
)  # fmt: skip
_COMPILER = "compiler"
_OTHER = regex(rb"\btorch[ \t]*\.[ \t]*compiler[ \t]*\.[ \t]*(?!(?:%s)\b)\w" % "|".join(ALWAYS_THERE).encode())
# Variables that torch reads, by name in a string. What asks for them is called `environ`, `getenv`, `putenv` …
_VARIABLE = regex(
    r"(?:TORCH|TORCHINDUCTOR|TORCHDYNAMO|AOT_INDUCTOR|AOTINDUCTOR|AOTI|DUMP_AOTI)_[A-Z0-9_]+|CUDA_LAUNCH_BLOCKING"
    r"|PYTORCH_(?:NO_CUDA_MEMORY_CACHING|CUDA_ALLOC_CONF|ALLOC_CONF)"
)
_ASKS = frozenset({"environ", "environb", "getenv", "putenv", "setenv", "unsetenv"})
# An assignment at the start of a line, with the lines that belong to it.
_ASSIGNMENT = regex(rb"^([A-Za-z_]\w*)[ \t]*(?::[^=\r\n]+)?=(?!=)([^\n]*(?:\n[ \t)\]}][^\n]*)*)", re.MULTILINE)
_CLASS = regex(rb"^class[ \t]+([A-Za-z_]\w*)[ \t]*\(([^)]*)\)", re.MULTILINE)
# Attributes that are called, indexed, or asked for a method.
_CALLED = regex(rb"\.[ \t]*(\w+)[ \t]*(?:[(\[]|\.[ \t]*\w+[ \t]*\()")
# What attributes are bound to, as far as the same line says.
_BOUND = regex(rb"\.[ \t]*(\w+)[ \t]*(?::[^=\r\n]{1,300})?=(?!=)([^\r\n]*)")
# Names of a module that its functions put things into for each other.
_HOLDER = regex(
    rb"^([A-Za-z_]\w*)[ \t]*(?::[^=\r\n]+)?=[ \t]*"
    rb"(?:None|\[\]|\{\}|\{[^\r\n]*\bNone\b[^\r\n]*\}|dict\(\)|(?:\w+\.)*\w*Namespace\(.*)[ \t]*(?:#.*)?\r?$",
    re.MULTILINE,
)
_STRING = regex(rb"\"[^\"\r\n]*\"|'[^'\r\n]*'")
_WORD = regex(r"[A-Za-z_]\w*")
# What runs without being named: on the way to a test, and where an object is used as something else.
_UNNAMED = frozenset({
    "__call__", "__enter__", "__exit__", "__getattr__", "__getattribute__", "__getitem__", "__init_subclass__",
    "__iter__", "__new__", "forward", "setUp", "asyncSetUp", "setUpClass", "setup_method", "setup_class",
})  # fmt: skip
# `inspect.CO_NEWLOCALS`: a function, not the body of a class.
_FUNCTION = 0x2

# `ast.PyCF_ALLOW_TOP_LEVEL_AWAIT`, without importing `ast`.
_ALLOW_TOP_LEVEL_AWAIT = 0x2000

_UNPARSABLE = (SyntaxError, ValueError, LookupError, RecursionError, MemoryError, OverflowError)


class Examined:
    """What a file speaks of.

    `symbols` has its top-level names that lead to what matters, and through how many other files' functions they lead
    there; handing a name on counts nothing. Behind a class and `MEMBER` it has what its objects have that leads there.
    `functions` has its functions and methods, dotted, and whether one leads to what matters or uses anything else that
    the rules speak of.
    """

    __slots__ = ("functions", "interesting", "symbols")

    def __init__(self, interesting: bool, symbols: dict[str, int], functions: dict[str, bool]) -> None:
        self.interesting, self.symbols, self.functions = interesting, symbols, functions


def examine(text: bytes | str, data: bytes, imported: Mapping[str, int], given: Mapping[str, int]) -> Examined | None:
    """What a file speaks of; None if it cannot be compiled.

    `text` is its Python text, `data` that text as bytes, `imported` the names it imports that make it matter, `given`
    those that its functions may have as arguments.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            code = compile(text, "<source>", "exec", _ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True, optimize=0)
    except _UNPARSABLE:
        return None
    parts = [
        (part.co_name, names_in(part) | arguments(part, given)) for part in code.co_consts if isinstance(part, CodeType)
    ]
    everything = own_names(code).union(*(names for _, names in parts))
    # Ops are called all over a library; what a script gives them is known.
    run = everything if "__main__" in code.co_consts else {one for one in loaded(code) if imported.get(one) == OP}
    if _OPS in run and not _OWN_OPS.search(data):
        run = run - {_OPS}
    handed_on = {name: near for name, near in imported.items() if near >= OP and name not in run}
    imported = {name: near for name, near in {**given, **imported}.items() if name not in handed_on}
    words = "\n".join(everything)
    carried = _carried(words)
    if EXPORT in everything and _from_torch(EXPORT, data):
        carried[EXPORT] = 0
    if _COMPILE in everything and (_from_torch(_COMPILE, data) or _IN_PLACE.search(data)):
        carried[_COMPILE] = MAX_HELPERS - 1
    local = set(_LOCAL.findall(words)) | {TYPES_OF_EXPORT} & everything
    local |= {name for name in _OF_TORCH if name in everything and _from_torch(name, data)}
    if _COMPILER in everything and _OTHER.search(data):
        local.add(_COMPILER)
    if needles.PACKAGE in data:
        local |= _LOAD & everything  # by a loader that may be the wrong one
    if not _ASKS.isdisjoint(everything) and _names_a_variable(code):
        local |= _ASKS & everything
    if not imported and not needles.interesting(data):
        # Its own names are those of something else.
        carried, local = {}, set()
    if everything.isdisjoint(imported) and not carried and not local:
        around = dict.fromkeys((name for name, names in parts if not names.isdisjoint(handed_on)), AROUND_OP)
        return Examined(False, handed_on | around, {})
    parts.extend(
        (found[1].decode("utf-8", "ignore"), set(_WORD.findall(_STRING.sub(b"", found[2]).decode("utf-8", "ignore"))))
        for found in _ASSIGNMENT.finditer(data)
    )
    symbols = {**handed_on, **imported, **_bound_by_imports(data)}
    # A class has what its bases have.
    parts.extend(
        (found[1].decode(), set(_WORD.findall(found[2].decode("utf-8", "ignore")))) for found in _CLASS.finditer(data)
    )
    # Those without a name, lambdas and comprehensions, cannot be asked for.
    parts = [(name, names) for name, names in parts if not name.startswith("<")]
    ops = {name for name, near in symbols.items() if near == OP} | (_words(_OP, data) - symbols.keys())
    symbols.update(dict.fromkeys(ops, OP))
    for name, names in parts:
        near = min((carried[used] for used in names if used in carried), default=None)
        if near is not None:
            symbols[name] = min(near, symbols.get(name, near))
    if carried:
        # What registers itself in a table is reached through it.
        symbols.update(dict.fromkeys(_words(_HOLDER, data), min(carried.values())))
    again = True
    while again:
        again = False
        for name, names in parts:
            near = min((symbols[used] + (used in imported) for used in names if used in symbols), default=None)
            if near is not None and near < symbols.get(name, near + 1):
                symbols[name] = near
                again = True
    symbols = {name: near if near < OP or name in ops else AROUND_OP for name, near in symbols.items()}
    functions, members = _functions(code, data, {*carried, *symbols}, local, given, imported)
    for owner in members.keys() & symbols.keys():
        symbols.update((f"{owner}{MEMBER}{member}", symbols[owner]) for member in members[owner])
    if not _DEFINING.isdisjoint(own_names(code)):
        symbols.setdefault(_OPS, OP)
    return Examined(True, symbols, functions)


def _carried(words: str) -> dict[str, int]:
    """The names among `words` that matter to importers, and how far from what matters they are counted."""
    return {**dict.fromkeys(_REGISTERING.findall(words), MAX_HELPERS - 1), **dict.fromkeys(_CARRIED.findall(words), 0)}


def _names_a_variable(code: CodeType) -> bool:
    """Whether a string anywhere in the code is the name of a variable that torch reads."""
    todo: list[object] = [code]
    while todo:
        one = todo.pop()
        if isinstance(one, str) and _VARIABLE.fullmatch(one):
            return True
        if isinstance(one, CodeType):
            todo += [*one.co_consts, *one.co_names]
        elif isinstance(one, tuple):
            todo += one
    return False


def _from_torch(name: str, data: bytes) -> bool:
    """Whether `export` or `compile` is a name in torch here, rather than a method of something else."""
    roots = {b"torch", *(found[1] or found[2] for found in _TORCH_ITSELF.finditer(data))}
    for found in IMPORT.finditer(data):
        modules, module = found["modules"], (found["module"] or b"").decode("utf-8", "ignore")
        if modules is None and module.partition(".")[0] == "torch" and not found["dots"]:
            names = dict(pairs(found["names"]))
            if "*" in names or name in names or f".{name}" in module:
                return True
            roots.update((alias or name).encode() for name, alias in names.items())
        elif modules is not None:
            roots.update(
                alias.encode() for dotted, alias in pairs(modules) if alias and dotted.partition(".")[0] == "torch"
            )
    steps = rb"(?:[\s\\]*\.(?![\s\\]*jit\b)[\s\\]*\w+)*(?:[\s\\]*\.[\s\\]*|\s*,\s*[\"'])%s\b" % name.encode()
    chain = rb"\b(?:%s)" % b"|".join(sorted(roots)) + steps
    return any(not _is_comment(data, found.start()) for found in re.finditer(chain, data))


def _is_comment(data: bytes, at: int) -> bool:
    """Whether this byte stands in a comment, as far as its line says."""
    return b"#" in _STRING.sub(b"", data[data.rfind(b"\n", 0, at) + 1 : at])


def _functions(
    code: CodeType,
    data: bytes,
    carried: set[str],
    local: set[str],
    given: Mapping[str, int],
    imported: Mapping[str, int],
) -> tuple[dict[str, bool], dict[str, set[str]]]:
    """The functions and methods, dotted, and whether each uses a name that matters; and by class what leads there.

    It may do so through another that uses a `carried` one, or through what its class inherits: by the names of that
    where the base is of the project, else through any attribute. What one function leaves in the module or in an
    object, another may use.
    """
    holders, called = _words(_HOLDER, data), _words(_CALLED, data)
    bound: dict[str, set[str]] = {}
    for found in _BOUND.finditer(data):
        words = _WORD.findall(found[2].decode("utf-8", "ignore"))
        bound.setdefault(found[1].decode("utf-8", "ignore"), set()).update(words)
    attributes: dict[str, set[str]] = {}
    variables: dict[str, set[str]] = {}
    bases = {
        found[1].decode(): carried.intersection(_WORD.findall(found[2].decode("utf-8", "ignore"))) - {found[1].decode()}
        for found in _CLASS.finditer(data)
    }
    members: dict[str, set[str]] = {}
    for name in imported:
        owner, _, member = name.partition(MEMBER)
        if member:
            members.setdefault(owner, set()).add(member)
    parts: list[tuple[str, set[str]]] = []
    todo = [("", code)]
    while todo:
        prefix, outer = todo.pop()
        for part in outer.co_consts:
            if isinstance(part, CodeType) and not part.co_name.startswith("<"):
                if part.co_flags & _FUNCTION:
                    attributes[prefix + part.co_name] = stored(part, "STORE_ATTR") & called
                    variables[prefix + part.co_name] = stored(part, "STORE_GLOBAL")
                    parts.append((prefix + part.co_name, names_in(part) | arguments(part, given)))
                else:
                    todo.append((f"{prefix}{part.co_name}.", part))
                    members.setdefault(part.co_name, set())
    leading = {name: False for name, _ in parts}
    using = set(carried)
    whole = {name for name, those in bases.items() if those - imported.keys() - members.keys()}
    again = True
    while again:
        again = False
        inherited = _inherited(members, bases)
        whole |= {name for name, those in inherited.items() if not those.isdisjoint(_UNNAMED)}
        for name, names in parts:
            owner, _, short = name.rpartition(".")
            owner = owner.partition(".")[0]
            named = not using.isdisjoint(names) or not inherited.get(owner, set()).isdisjoint(names)
            if not leading[name] and (named or owner in whole):
                leading[name] = again = True
                if not short.startswith("__"):
                    using.add(short)
                using |= (names & holders) | variables[name]
                left = {a for a in attributes[name] if not using.isdisjoint(bound.get(a, ()))}
                using |= left
                if owner in members:
                    members[owner] |= {short, *left}
    used: set[str] = set().union(*(names for name, names in parts if leading[name]))
    # What sets a variable that those read decides what they do.
    leading.update(
        (name, True) for name, names in parts if not local.isdisjoint(names) or not used.isdisjoint(variables[name])
    )
    for name in leading:
        owner = name.partition(".")[0]
        if leading[name] and owner in members:
            members[owner].add(name.rpartition(".")[2])
    for name, those in _inherited(members, bases).items():
        members[name] = those.union(members.get(name, ()))
    return leading, members


def _inherited(members: Mapping[str, set[str]], bases: Mapping[str, set[str]]) -> dict[str, set[str]]:
    """By class: what leads to what matters of those it stands on."""
    found: dict[str, set[str]] = {}
    for name in bases:
        todo, line = [*bases[name]], set[str]()
        while todo:
            one = todo.pop()
            if one not in line:
                line.add(one)
                todo += bases.get(one, ())
        found[name] = set().union(*(members.get(one, ()) for one in line - {name}))
    return found


def _words(pattern: re.Pattern[bytes], data: bytes) -> set[str]:
    """The words in the first group of every match."""
    return {word for found in pattern.finditer(data) for word in _WORD.findall(found[1].decode("utf-8", "ignore"))}


def _bound_by_imports(data: bytes) -> dict[str, int]:
    """Names bound to parts of torch that matter, and how far from what matters they are counted."""
    bound: dict[str, int] = {}
    for found in IMPORT.finditer(data):
        if found["modules"] is not None:
            imports = [(dotted, alias) for dotted, alias in pairs(found["modules"]) if alias]
        elif found["dots"]:
            continue
        else:
            module = found["module"].decode("utf-8", "ignore")
            imports = [(f"{module}.{name}", alias or name) for name, alias in pairs(found["names"])]
        for dotted, local in imports:
            parts = dotted.split(".")
            # Classes such as ExportedProgram are named in annotations and tests; only some lead anywhere.
            is_type = parts[-1][:1].isupper() and not parts[-1].startswith(("AOTI", "ShapesCollection"))
            carried = {EXPORT: 0} if EXPORT in parts else _carried("\n".join(parts))
            if parts[0] == "torch" and local and not is_type and carried:
                bound[local] = min(carried.values())
    return bound
