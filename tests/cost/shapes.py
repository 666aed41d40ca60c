"""Small sources that are dear to analyse: each function makes one of a given size, by the name of what grows.


`SHAPES` has them all: from a number to the text of a script, or to the texts of the files of a project by their names.
"""

# ruff: noqa: E501

from __future__ import annotations

from collections.abc import Callable
from itertools import chain

Files = dict[str, str]
Shape = Callable[[int], "str | Files"]

SHAPES: dict[str, Shape] = {}


def shape(make: Shape) -> Shape:
    SHAPES[make.__name__] = make
    return make


def files_of(made: str | Files) -> Files:
    """What a shape made, as files by their names."""
    return {"script.py": made} if isinstance(made, str) else made


def lines(line: str, n: int, indent: int = 0) -> str:
    """A line `n` times, in which `@` is the number of the round."""
    return "".join(" " * indent + line.replace("@", str(i)) + "\n" for i in range(n))


def model(body: str) -> str:
    """A script that exports a model with a forward of these lines, whose batch is open."""
    inside = "".join(f"        {one}\n" for one in body.splitlines())
    return (
        "import torch\n\n\nclass M(torch.nn.Module):\n    def forward(self, x):\n"
        f"{inside}        return x\n\n\n"
        'batch = torch.export.Dim("batch")\n'
        "ep = torch.export.export(M(), (torch.randn(4, 8),), dynamic_shapes=({0: batch},))\n"
        "torch._inductor.aoti_compile_and_package(ep)\n"
    )


def exported(head: str) -> str:
    """A script that exports a plain model after these lines."""
    return (
        f"import os\nimport sys\nimport torch\n{head}\n"
        "ep = torch.export.export(torch.nn.Linear(2, 3), (torch.randn(4, 2),))\n"
        "torch._inductor.aoti_compile_and_package(ep)\n"
    )


def op(kernel: str, fake: str, args: str = "x: torch.Tensor, n: int") -> str:
    """A script with a custom op of these bodies."""
    first, second = ("".join(f"    {one}\n" for one in body.splitlines()) for body in (kernel, fake))
    return (
        "import torch\n\n\n"
        f'@torch.library.custom_op("mine::op", mutates_args=())\ndef op({args}) -> torch.Tensor:\n{first}\n\n'
        f"@op.register_fake\ndef _(x, n):\n{second}"
    )


# ------------------------------------------------------------ numbers and sizes


@shape
def size_arithmetic(n: int) -> str:
    return model("n = x.shape[0]\n" + lines("n = n * n // (@ + 2) + n % (@ + 3)", n) + "x = x + torch.zeros(n)")


@shape
def size_doubling(n: int) -> str:
    return model("n = x.shape[0]\n" + lines("n = n + n", n) + "if n > 8:\n    x = x * 2")


@shape
def size_minimum(n: int) -> str:
    return model("n = x.shape[0]\n" + lines("n = max(n, min(n * 2, n + 3))", n) + "x = x.reshape(n, -1)")


@shape
def size_sum(n: int) -> str:
    return model("n = x.shape[0]\n" + lines("n = n + x.shape[0] * @", n) + "x = x.new_zeros(n)")


@shape
def size_compare(n: int) -> str:
    return model("n = x.shape[0]\n" + lines("if n * @ > n + @:\n    x = x + @", n))


@shape
def size_views(n: int) -> str:
    return model(lines("x = x.reshape(x.shape[0] * 2, -1).view(-1, x.shape[0])", n))


@shape
def size_text(n: int) -> str:
    return model('n = x.shape[0]\ns = ""\n' + lines('s = s + f"{n * n}"', n) + "print(s)")


@shape
def open_cat(n: int) -> str:
    return model(lines("x = torch.cat([x, x])", n))


@shape
def open_cat_wide(n: int) -> str:
    return model("x = torch.cat([" + "x, " * n + "])")


@shape
def open_chunks(n: int) -> str:
    return model(f"x = torch.cat(x.repeat({n}, 1).split(1))")


@shape
def open_ops(n: int) -> str:
    return model(lines("x = torch.relu(x + @) * x.transpose(0, 1).sum()", n))


@shape
def open_branches(n: int) -> str:
    return model(lines("if x.shape[0] % (@ + 2) == 0:\n    x = x * 2\nelse:\n    x = x + x", n))


@shape
def open_slices(n: int) -> str:
    return model(lines("x = x[x.shape[0] // 3 : -x.shape[0] // (@ + 2)]", n))


@shape
def open_pads(n: int) -> str:
    return model(lines("x = torch.nn.functional.pad(x, (0, x.shape[0], x.shape[0] % 7, @))", n))


@shape
def fake_sizes(n: int) -> str:
    return op(
        "return x.clone()", "n = x.shape[0]\n" + lines("n = n * n // (@ + 2) + n % 5", n) + "return x.new_empty(n)"
    )


@shape
def fake_branches(n: int) -> str:
    return op(
        "return x.clone()",
        "s = x.shape[0]\n" + lines("s = s + 1 if n > @ else s * 2", n) + "return x.new_empty(s)",
    )


@shape
def fake_ifs(n: int) -> str:
    return op(
        "y = x\n" + lines("if n > @:\n    y = y * 2", n) + "return y",
        lines("if n > @:\n    x = torch.cat([x, x])", n) + "return x",
    )


@shape
def kernel_ops(n: int) -> str:
    return op(lines("x = (x + n).t().contiguous().view(-1, x.shape[0])", n) + "return x", "return torch.empty_like(x)")


@shape
def fake_rank(n: int) -> str:
    return op("return x.clone()", f"return x[{'None, ' * n}...].reshape({'x.shape[0], ' * n}-1)")


@shape
def dim_chain(n: int) -> str:
    return exported('b = torch.export.Dim("b")\n' + lines("b = b * 2 + 1", n)).replace(
        "4, 2),)", "4, 2),), dynamic_shapes=({0: b},)"
    )


@shape
def split_one(n: int) -> str:
    return exported(f"t = torch.zeros({n}).split(1)")


@shape
def unbind_all(n: int) -> str:
    return exported(
        f"t = torch.zeros({n}).unbind()\nu = torch.zeros({n}).tensor_split({n})\nv = list(torch.zeros({n}))"
    )


@shape
def chunk_all(n: int) -> str:
    return exported(f"t = torch.zeros({n}).chunk({n})\na, *b = torch.zeros({n})\nfor c in torch.zeros({n}):\n    d = c")


@shape
def many_dims(n: int) -> str:
    return exported(
        f"t = torch.zeros({'2, ' * n})\nt = t.permute({', '.join(map(str, reversed(range(n))))}) + t[..., 0]"
    )


@shape
def long_size(n: int) -> str:
    return exported(
        f"t = torch.zeros(1{'0' * n}).reshape(-1, 1{'0' * n}).split(1{'0' * n})\nn = 1{'0' * n} * 3\nprint(n)"
    )


@shape
def long_hexadecimal(n: int) -> str:
    return exported(f'n = 0x1{"0" * n}\nt = torch.zeros(n)\ns = str(n) + f"{{n}}" + "%d" % n\nd = {{n: n}}\nm = -n')


@shape
def long_integer_default(n: int) -> str:
    return exported(
        f"def f(x=0x1{'0' * n}):\n    return torch.compile(x)\n\n\nclass A:\n    y = 0x1{'0' * n}\n    z = ~y"
    )


@shape
def cat_wide(n: int) -> str:
    return exported(f"t = torch.cat([{'torch.zeros(1), ' * n}])\nu = torch.stack([t] * {n})")


@shape
def sum_chain(n: int) -> str:
    return exported("a = int(sys.argv[1])\n" + lines("a = a * a + a - @", n) + "t = torch.zeros(a)")


@shape
def option_default_chain(n: int) -> str:
    return exported('a = int(os.environ.get("A", "3"))\n' + lines("a = a * 2 + a // 3", n) + "t = torch.zeros(a, a)")


@shape
def float_chain(n: int) -> str:
    return exported("a = 1.5\n" + lines("a = a * a\nb = a ** a\nc = 10 ** a", n))


@shape
def einsum_long(n: int) -> str:
    return exported(f"t = torch.einsum('{'i' * n}->i', torch.zeros({'2, ' * n}))")


# ------------------------------------------------------------ large results of small calls


def _expressions() -> list[str]:
    big = ["n", "-n", "n + 1"]
    return [
        '"a" * n', 'b"x" * n', "[0] * n", "(0,) * n", "range(n)", "list(range(n))", "tuple(range(n))", "set(range(n))",
        "10 ** n", "1 << n", "2.0 ** n", "n ** n", "pow(10, n)", "pow(3, n, 7)", "bytes(n)", "bytearray(n)", '"%0*d" % (n, 1)',
        'f"{1:>{n}}"', '"{:>{}}".format(1, n)', '"a".ljust(n)', '"a".rjust(n)', '"a".center(n)', '"a".zfill(n)',
        '"\\t".expandtabs(n)', '"a".replace("", "b" * n)', '("ab" * 999).replace("", "b" * 999)', '(" " * 999).join(["a"] * 999)',
        "dict.fromkeys(range(n))", "set(range(n)) | {1}", "sorted(range(n))", "list(range(n))[::-1]", "sum(range(n))",
        "max(range(n))", "any(range(n))", "list(reversed(range(n)))", "list(zip(range(n), range(n)))", "[x for x in range(n)]",
        "{x: x for x in range(n)}", "list(enumerate(range(n)))", "list(map(str, range(n)))", "[[0] * n for _ in range(n)]",
        "itertools.repeat(0, n)", "list(itertools.repeat(0, n))", "list(itertools.product(range(99), repeat=9))",
        "list(itertools.permutations(range(20)))", "list(itertools.combinations(range(99), 50))", "list(itertools.tee([1], n))",
        "math.factorial(n)", "math.comb(n, n // 2)", "math.perm(n)", "math.prod(range(1, n))", "math.gcd(n ** 9, n)",
        "math.isqrt(n ** 99)", "math.pow(n, n)", "math.ldexp(1, n)", "math.lcm(*range(1, 999))", 'struct.calcsize(f"{n}s")', 'struct.pack(f"{n}s", b"")',
        'int("9" * 9999)', 'int("f" * 9999, 16)', 'float("9" * 9999)', "str(10 ** 5000)", "hex(1 << n)", "bin(n)", "round(n, n)", "round(1.5, n)",
        "n.to_bytes(n)", "int.from_bytes(bytes(n))", 'eval("(" * 9999)', 'exec("a=" * 9999 + "1")', 'ast.literal_eval("(" * 9999)',
        're.match("(a+)+$", "a" * 40 + "b")', 're.sub("(a|aa)+$", "", "a" * 60 + "b")', 're.compile("(" * 9999)',
        're.search("(x+x+)+y", "x" * 60)', 're.split("(a*)*b", "a" * 60)', 'fnmatch.fnmatch("a" * 60, "*a" * 30 + "b")',
        'json.loads("[" * 99999)', 'json.dumps([0] * n)', 'textwrap.wrap("a " * 4999, 1)', 'textwrap.dedent(" \\n" * 4999)',
        'glob.glob("**/" * 50)', 'os.path.join(*["a"] * n)', 'pathlib.Path("a/" * 4999).parts', 'pathlib.Path("../" * 4999).resolve()',
        'os.path.normpath("a/../" * 1999)', 'os.path.commonprefix(["a" * 4999] * 64)', '"a".encode() * n', '"a b" .split(None, n)',
        '("a " * 4999).split()', '("a " * 4999).title().split(" ")', '"{0:{0}}".format(n)', '"{:,}".format(n)', '"%s" % (n,)', 'format(1, f"{n}")',
        'format(1, "999999999d")', '"%999999999d" % 1', '"%.999999999f" % 1.0', '"{:>999999999}".format(1)', 'f"{1:>999999999}"', 'f"{1:999999999.999999999f}"',
        '"{0.a.b.c}".format(n)', '"{" * 4999', '"{:{:{}}}".format(1, 2, 3)', "slice(0, n)", "[1, 2][n:]", "[1, 2][::n]", '"abc"[:n]', "range(n)[5]",
        "range(0, n, 3)[::2]", "len(range(n))", "n in range(n)", "n in list(range(n))", "collections.deque(range(n), maxlen=n)", "collections.Counter(range(n))",
        "collections.OrderedDict.fromkeys(range(n))", "functools.reduce(lambda a, b: a + b, [[0] * 999] * 999)", "operator.mul('a', n)", "operator.pow(10, n)",
        "operator.lshift(1, n)", "copy.deepcopy([[0] * 99] * 99)", "random.sample(range(n), n)", 'hash("a" * n)', "divmod(10 ** 5000, 3)", "abs(-(10 ** 5000))",
        "complex(n, n) ** n", "decimal.Decimal(10) ** n", "fractions.Fraction(1, n) ** n", "datetime.timedelta(days=n)", "time.sleep(n)", "input('a' * n)",
        "torch.zeros(n)", "torch.zeros(n, n, n).reshape(-1)", "torch.arange(n)", "torch.ones([2] * n)", "torch.zeros(*[2] * 999)", "torch.zeros(n).tolist()",
        "torch.arange(0, n, 1e-9)", "torch.tensor(list(range(n)))", "torch.tensor([[0] * 64] * 64)", "torch.zeros(n).split(1)", "torch.zeros(n).chunk(n)", "torch.zeros(n).unbind()",
        "torch.zeros(n).tensor_split(n)", "torch.zeros(n).split([1] * 999)", "torch.zeros(1).repeat([n] * 99)", "torch.zeros(1).expand(*[n] * 99)", "torch.zeros(n, n).split(1, 1)",
        "torch.zeros(n, n).tensor_split(n, 1)", "torch.vsplit(torch.zeros(n, n), n)", "torch.zeros(n).unfold(0, 1, 1)", "torch.combinations(torch.arange(n), n)", "torch.linspace(0, 1, n)",
        "torch.nn.ModuleList([torch.nn.Linear(1, 1)] * n)", "torch.nn.Sequential(*[torch.nn.ReLU()] * 999)", "torch.nn.LSTM(2, 3, n)", "torch.nn.Linear(n, n)", "torch.nn.Conv2d(1, 1, n, n)",
        "torch.nn.Transformer(8, 2, n, n)", "torch.nn.TransformerEncoder(torch.nn.TransformerEncoderLayer(8, 2), n)", "torch.zeros(2).repeat_interleave(n)", "torch.meshgrid(*[torch.zeros(2)] * 999)", "torch.broadcast_tensors(*[torch.zeros(2)] * 999)", "torch.cartesian_prod(*[torch.zeros(9)] * 99)",
        "torch.stack([torch.zeros(2)] * 999)", "torch.block_diag(*[torch.zeros(2)] * 999)", "torch.nn.functional.one_hot(torch.arange(3), n)", "torch.zeros(3).view(*[1] * n, 3)", "torch.zeros(2)[(None,) * 999]", "numpy.zeros(n)", "numpy.arange(n)", "numpy.zeros((2,) * 99)",
        "numpy.split(numpy.zeros(n), n)", "torch.export.Dim('a', min=n, max=n ** n)", "torch.Size([n] * 99).numel()", "os.environ.get('a' * n)", "' '.join(str(i) for i in range(n))", "[i for i in range(99) for j in range(99) for k in range(99) for l in range(99)]",
        *(f"[0] * ({one})" for one in big), *(f"'a'[{one}:]" for one in big),
    ]  # fmt: skip


EXPRESSIONS = _expressions()
LARGE = ("10**9", "10**18", "10**400")


def _called(index: int) -> Shape:
    def make(n: int) -> str:
        head = "import ast, collections, copy, datetime, decimal, fnmatch, fractions, functools, glob, itertools, json, math\n"
        head += "import numpy, operator, pathlib, random, re, struct, textwrap, time\n"
        found = EXPRESSIONS[index]
        return exported(f"{head}n = {n}\na = {found}\nb = [a]\nfor c in a:\n    d = c\n")

    return make


for _index, _text in enumerate(EXPRESSIONS):
    SHAPES[f"call {_text}"] = _called(_index)


@shape
def text_doubling(n: int) -> str:
    return exported('s = "a"\n' + lines("s = s + s", n) + "torch.load(s)")


@shape
def text_unknown_doubling(n: int) -> str:
    return exported("s = sys.argv[1]\n" + lines('s = f"{s}/{s}"', n) + "torch.load(s)")


@shape
def text_join_doubling(n: int) -> str:
    return exported("s = sys.argv[1]\n" + lines('s = "-".join([s, s, "@"])', n) + "torch.load(s)")


@shape
def text_replace_chain(n: int) -> str:
    return exported('s = "aa"\n' + lines('s = s.replace("a", "aaaa")', n) + "torch.load(s)")


@shape
def text_option_chain(n: int) -> str:
    return exported("s = sys.argv[1]\n" + lines('s = s.replace("a", "b@").lower().strip() + s', n) + "torch.load(s)")


@shape
def path_chain(n: int) -> str:
    head = "from pathlib import Path\np = Path(sys.argv[1])\n"
    return exported(head + lines('p = p / p.parent / p.name / "@"', n) + "torch.load(p)")


@shape
def path_parents(n: int) -> str:
    return exported(
        "from pathlib import Path\np = Path(__file__)\n" + lines('p = (p.parent / "a@").with_suffix(".b")', n)
    )


@shape
def tuple_doubling(n: int) -> str:
    return exported("t = (1, 2)\n" + lines("t = (t, t)", n) + "torch.save(t, 'a')\nprint(t == t, hash(t), str(t))")


@shape
def tuple_doubling_unknown(n: int) -> str:
    return exported(
        "t = (sys.argv[1], torch.zeros(2))\n" + lines("t = (t, t)", n) + "if t == (t, 1):\n    print(t)\nd = {t: t}"
    )


@shape
def list_doubling(n: int) -> str:
    return exported(
        "t = [1]\n"
        + lines("t = [t, t]", n)
        + "torch.save(t, 'a')\nprint(t)\nu = tuple(t)\nimport copy\nv = copy.deepcopy(t)"
    )


@shape
def dict_doubling(n: int) -> str:
    return exported('t = {"a": torch.zeros(2)}\n' + lines('t = {"a": t, "b": t}', n) + "torch.save(t, 'a')\nprint(t)")


@shape
def nested_inputs_doubling(n: int) -> str:
    head = "t = torch.randn(2)\n" + lines('t = {"a": t, "b": [t]}', n)
    return exported(head).replace("(torch.randn(4, 2),)", "(t,), dynamic_shapes=(t,)")


@shape
def partial_doubling(n: int) -> str:
    return exported("import functools\nf = print\n" + lines("f = functools.partial(f, f, f)", n) + "f(1)\ng = [f]")


@shape
def sequential_doubling(n: int) -> str:
    return exported(
        "m = torch.nn.Linear(2, 2)\n"
        + lines("m = torch.nn.Sequential(m, m)", n)
        + 'm.to("cuda")\nm.eval()\nm(torch.zeros(2, 2))'
    )


@shape
def module_list_nest(n: int) -> str:
    return exported(
        "m = torch.nn.ReLU()\n" + lines("m = torch.nn.ModuleList([m, torch.nn.ReLU()])", n) + "m.cuda()\nm.state_dict()"
    )


@shape
def choice_doubling(n: int) -> str:
    return exported(
        "a = len(sys.argv)\nt = 0\n" + lines("t = (t, 1) if a > @ else (t, 2)", n) + "print(t)\ntorch.load(str(t))"
    )


@shape
def extend_doubling(n: int) -> str:
    return exported("t = [1]\n" + lines("t += t\nt.extend(t)\nt = [*t, *t]", n))


@shape
def dict_merge_doubling(n: int) -> str:
    return exported("t = {1: 2}\n" + lines("t = {**t, @: t, **t}", n) + "print(t)")


@shape
def type_union_doubling(n: int) -> str:
    return exported("t = int\n" + lines("t = t | list[t] | dict[t, t]", n) + "isinstance(1, t)")


# ------------------------------------------------------------ wide literals


@shape
def dict_literal(n: int) -> str:
    return exported("d = {" + lines("'k@': @,", n) + "}")


@shape
def dict_number_literal(n: int) -> str:
    return exported("d = {" + lines("@: '@',", n) + "}\nfor k, v in d.items():\n    print(k)\nprint(d[3])")


@shape
def dict_same_key(n: int) -> str:
    return exported("d = {" + lines("'k': @,", n) + "}")


@shape
def dict_unknown_keys(n: int) -> str:
    return exported("d = {" + lines("sys.argv[@]: @,", n) + "}")


@shape
def dict_tuple_keys(n: int) -> str:
    return exported("d = {" + lines("(@, 'a'): [@],", n) + "}")


@shape
def dict_stores(n: int) -> str:
    return exported("d = {}\n" + lines("d['k@'] = @", n) + "print(d)")


@shape
def dict_loop(n: int) -> str:
    return exported(f"d = {{}}\nfor i in range({n}):\n    d[i] = i\n    d[i] += 1\nprint(d)")


@shape
def dict_updates(n: int) -> str:
    return exported("d = {}\n" + lines("d.update(a@=@)\nd.setdefault('b@', [])\nd.get('c@')", n))


@shape
def list_literal(n: int) -> str:
    return exported("d = [" + lines("@,", n) + "]\nfor x in d:\n    print(x)\nd.index(7)\n")


@shape
def nested_list_literal(n: int) -> str:
    return exported("d = [" + lines("[@, [@, 'a'], {'b': (@,)}],", n) + "]\nt = torch.tensor(d)")


@shape
def set_literal(n: int) -> str:
    return exported("d = {" + lines("'@',", n) + "}\ne = d | d\nf = d - e\nprint('a' in d)")


@shape
def list_appends(n: int) -> str:
    return exported("d = []\n" + lines("d.append(@)", n) + "t = torch.tensor(d)")


@shape
def string_literal_pieces(n: int) -> str:
    return exported("s = (" + lines("'some text @'", n) + ")\ntorch.load(s)")


@shape
def string_long(n: int) -> str:
    return exported(f"s = '{'a' * n}'\ntorch.load(s)\nos.environ['A'] = s\nt = s.upper() + f'{{s}}'")


@shape
def string_sum(n: int) -> str:
    return exported("s = ''\n" + lines("s += 'some text @'", n) + "torch.load(s)")


@shape
def f_string_wide(n: int) -> str:
    return exported("a = sys.argv[1]\ns = f'" + "{a}" * n + "'\ntorch.load(s)")


@shape
def call_arguments(n: int) -> str:
    return exported(
        "def f(*a, **k):\n    return a\n\n\nf(" + lines("@,", n) + ")\nf(" + lines("a@=@,", n) + ")\nprint(*[1] * 9)"
    )


@shape
def parameters(n: int) -> str:
    return exported("def f(" + lines("a@=@,", n) + "):\n    return torch.compile(a1)\n\n\nf()\nf(a3=4)")


@shape
def targets(n: int) -> str:
    return exported("".join(f"a{i} = " for i in range(n)) + "1\n" + "".join(f"b{i}, " for i in range(n)) + "= range(9)")


@shape
def comparison_chain(n: int) -> str:
    return exported("a = len(sys.argv)\nb = a" + " < a" * n + "\nif b:\n    print(1)")


@shape
def boolean_wide(n: int) -> str:
    return exported("a = sys.argv\nif " + " or ".join(f"a == {i}" for i in range(n)) + ":\n    print(1)")


@shape
def boolean_mixed(n: int) -> str:
    return exported(
        "a = sys.argv\nif " + " or ".join(f"a[{i}] and not a[{i + 1}]" for i in range(n)) + ":\n    print(1)"
    )


@shape
def membership_wide(n: int) -> str:
    return exported("a = sys.argv[1]\nif a in [" + lines("'@',", n) + "]:\n    torch.load(a)\n")


@shape
def environment_writes(n: int) -> str:
    return exported(lines("os.environ['A@'] = '@'", n))


@shape
def options_many(n: int) -> str:
    head = "import argparse\np = argparse.ArgumentParser()\n" + lines("p.add_argument('--a@', default=@, type=int)", n)
    return exported(head + "a = p.parse_args()\n" + lines("if a.a@ > 3:\n    print(a.a@)", n))


# ------------------------------------------------------------ deep expressions


def _deep(name: str, before: str, core: str, after: str) -> None:
    SHAPES[f"deep {name}"] = lambda n: exported(f"a = sys.argv\nx = {before * n}{core}{after * n}")


for _deep_one in (
    ("parens", "(", "1", ")"), ("lists", "[", "", "]"), ("dicts", "{1: ", "2", "}"), ("sets", "{", "1", "}"), ("tuples", "(", "1", ",)"),
    ("calls", "str(", "1", ")"), ("unknown calls", "a(", "1", ")"), ("attributes", "", "a", ".b"), ("subscripts", "", "a", "[0]"),
    ("index in index", "a[", "0", "]"), ("sums", "", "1", " + 1"), ("unknown sums", "", "a", " + a"), ("text sums", "", "'a'", " + 'b'"),
    ("products", "", "1", " * 1"), ("powers", "", "1", " ** 1"), ("nots", "not ", "a", ""), ("minus", "-", "1", ""), ("unknown minus", "-", "a", ""),
    ("tildes", "~", "1", ""), ("awaits", "await ", "a", ""), ("lambdas", "lambda: ", "1", ""), ("called lambdas", "(lambda: ", "1", ")()"),
    ("conditionals", "1 if a else ", "2", ""), ("conditional tests", "(1 if ", "a", " else 2)"), ("ands", "a and ", "a", ""), ("nested ands", "(a and not ", "a", ")"),
    ("comprehensions", "[x for x in ", "a", "]"), ("generators", "list(x for x in ", "a", ")"), ("starred", "[*", "a", "]"), ("walrus", "(y := ", "1", ")"),
    ("method chains", "", "a", ".b(1)"), ("tensor chains", "", "torch.zeros(2)", ".relu()"), ("slices", "", "a", "[1:2]"), ("yields", "(yield ", "1", ")"),
    ("comparisons", "(1 < ", "a", ")"), ("comprehension elements", "[", "1", " for x in [1, 2]]"), ("dict comprehensions", "{1: ", "1", " for x in [1, 2]}"),
):  # fmt: skip
    _deep(*_deep_one)


@shape
def deep_format(n: int) -> str:
    text = "1"
    for i in range(min(n, 60)):
        quote = '"' if i % 2 else "'"
        text = f"f{quote}{{{text}}}{quote}" if i < 2 else f"f{quote * 3}{{{text}}}{quote * 3}"
    return exported(f"x = {text}")


@shape
def continued_lines(n: int) -> str:
    return exported("x = 1" + " + \\\n 1" * n)


@shape
def long_line(n: int) -> str:
    return exported("x = [" + "a.b(c)[1] + 'd', " * n + "]")


@shape
def semicolons(n: int) -> str:
    return exported("; ".join(["x = 1"] * n))


@shape
def comments(n: int) -> str:
    return exported(lines("# aoti-lint: off, noqa, @", n) + " " * n + "\n" + "\f" * n + "\n")


# ------------------------------------------------------------ deep and long statements


def nested(line: str, n: int, core: str = "x = 1") -> str:
    """`n` blocks in each other."""
    return "".join(" " * i + line.replace("@", str(i)) + "\n" for i in range(n)) + " " * n + core + "\n"


for _name, _line in {
    "ifs": "if len(sys.argv) > @:", "fors": "for i@ in range(9):", "literal fors": "for i@ in (1, 2, 3, 4):", "whiles": "while len(sys.argv) > @:",
    "withs": "with open('a') as a@:", "functions": "def f@():", "classes": "class A@:", "no_grads": "with torch.no_grad():", "unknown fors": "for i@ in sys.argv:",
    "async functions": "async def f@():",
}.items():  # fmt: skip
    SHAPES[f"nested {_name}"] = lambda n, line=_line: exported(nested(line, n))  # type: ignore[misc]


@shape
def nested_tries(n: int) -> str:
    tail = "".join(" " * i + "except ValueError:\n" + " " * i + " pass\n" for i in reversed(range(n)))
    return exported(nested("try:", n, "f(1)") + tail)


@shape
def nested_else(n: int) -> str:
    return exported(
        "a = len(sys.argv)\nif a == 0:\n    x = 0\n"
        + lines("elif a == @:\n    x = @", n)
        + "else:\n    x = 1\nprint(x)"
    )


@shape
def elif_device(n: int) -> str:
    return exported(
        "a = sys.argv[1]\nif a == 'b':\n    x = 'cpu'\n"
        + lines("elif a == '@':\n    x = 'cuda:@'", n)
        + "torch.zeros(2, device=x)"
    )


@shape
def joins_same(n: int) -> str:
    return exported(
        "a = len(sys.argv)\nx = 0\n" + lines("if a > @:\n    x = @\nelse:\n    x = x + 1", n) + "torch.zeros(x)"
    )


@shape
def joins_many(n: int) -> str:
    return exported("a = sys.argv\n" + lines("if a[@]:\n    x@ = 1\nelse:\n    x@ = 2", n) + lines("print(x@ + x0)", n))


@shape
def joins_sum(n: int) -> str:
    return exported("a = sys.argv\nt = 0\n" + lines("x@ = 1 if a[@] else 2\nt = t + x@", n) + "torch.zeros(t)")


@shape
def joins_call(n: int) -> str:
    names = ", ".join(f"x{i}" for i in range(n))
    return exported(
        "a = sys.argv\n"
        + lines("x@ = 1 if a[@] else 2", n)
        + f"torch.zeros({names})\nprint(max({names}))\ns = f'"
        + "".join(f"{{x{i}}}" for i in range(n))
        + f"'\nt = '%s' * {n} % ({names})\nu = ''.join([str(i) for i in [{names}]])"
    )


@shape
def joins_attributes(n: int) -> str:
    return exported(
        "a = sys.argv\n\n\nclass A:\n    pass\n\n\no = A()\n"
        + lines("if a[@]:\n    o.x = @\n    o.y@ = o", n)
        + "print(o.x)"
    )


@shape
def joins_devices(n: int) -> str:
    return exported(
        "a = sys.argv\nm = torch.nn.Linear(2, 3)\n"
        + lines("if a[@]:\n    m = m.to('cuda:@')", n)
        + "m(torch.zeros(2, 2))"
    )


@shape
def early_returns(n: int) -> str:
    return exported(
        "def f(a):\n"
        + lines("if a[@]:\n        return torch.compile(a)", n, 4)
        + "    return torch.load(a)\n\n\nf(sys.argv)"
    )


@shape
def early_raises(n: int) -> str:
    return exported(
        lines("if not os.path.exists('a@'):\n    raise ValueError('@')", n) + lines("assert sys.argv[@]", n)
    )


@shape
def tries_in_a_row(n: int) -> str:
    return exported(
        lines("try:\n    import a@\nexcept ImportError:\n    a@ = None", n) + lines("if a@:\n    print(1)", n)
    )


@shape
def try_handlers(n: int) -> str:
    return exported("try:\n    torch.load('a')\n" + lines("except E@:\n    x = @", n) + "print(x)")


@shape
def with_chain(n: int) -> str:
    return exported("with " + ", ".join(f"open('a{i}') as b{i}" for i in range(n)) + ":\n    pass")


@shape
def match_cases(n: int) -> str:
    return exported(
        "match sys.argv[1]:\n" + lines("case '@':\n        x = @", n, 4) + "    case _:\n        x = 0\nprint(x)"
    )


@shape
def match_patterns(n: int) -> str:
    return exported(
        "match sys.argv:\n    case ["
        + lines("{'a@': [A(b=@), *c@]},", n)
        + "]:\n        pass\n    case "
        + " | ".join(map(str, range(n)))
        + ":\n        pass"
    )


@shape
def match_deep(n: int) -> str:
    return exported(f"match sys.argv:\n    case {'[' * n}1{']' * n}:\n        pass")


@shape
def match_mappings(n: int) -> str:
    return exported(f"match sys.argv:\n    case {'{1: ' * n}x{'}' * n}:\n        pass")


@shape
def loops_in_a_row(n: int) -> str:
    return exported("x = 0\n" + lines("for i in range(64):\n    x = x + i", n))


@shape
def whiles_in_a_row(n: int) -> str:
    return exported("x = 0\n" + lines("while x < len(sys.argv):\n    x = x + @\n    if x > 3:\n        break", n))


@shape
def product_loops(n: int) -> str:
    return exported("r = list(range(60))\n" + nested("for i@ in r:", n, "r2 = i0 + 1"))


@shape
def product_comprehension(n: int) -> str:
    return exported("r = list(range(50))\nx = [1 " + " ".join(f"for a{i} in r" for i in range(n)) + "]")


@shape
def product_generator(n: int) -> str:
    return exported(
        "r = list(range(50))\nx = sum(1 "
        + " ".join(f"for a{i} in r" for i in range(n))
        + ")\ny = {a0: 1 "
        + " ".join(f"for a{i} in r" for i in range(n))
        + "}"
    )


@shape
def filtered_comprehension(n: int) -> str:
    return exported(
        "a = sys.argv\nx = [i for i in range(60) "
        + " ".join(f"if a[i + {i}]" for i in range(n))
        + "]\ny = [j for j in range(60) if a[j]]"
    )


@shape
def loop_joins(n: int) -> str:
    return exported(
        "a = sys.argv\nx = 0\nfor i in range(60):\n"
        + lines("if a[i] == @:\n        x += i\n        continue", n, 4)
        + "print(x)"
    )


@shape
def loop_dict_of_branches(n: int) -> str:
    return exported(
        "a = sys.argv\nd = {}\n"
        + lines("if a[@]:\n    d['k@'] = @\nd['m'] = @", n)
        + "print(d)\nfor k in d:\n    print(d[k])"
    )


@shape
def list_of_branches(n: int) -> str:
    return exported(
        "a = sys.argv\nd = []\n" + lines("if a[@]:\n    d.append(@)", n) + "print(len(d))\nfor k in d:\n    print(k)"
    )


@shape
def imports_many(n: int) -> str:
    return exported(lines("import a@.b, torch.nn as t@\nfrom os.path import join as j@", n))


# ------------------------------------------------------------ functions and classes


@shape
def functions_many(n: int) -> str:
    return exported(lines("\n\ndef f@(x):\n    return torch.compile(x)", n))


@shape
def functions_chain(n: int) -> str:
    return exported(lines("\n\ndef f@(x):\n    return f@@(x)", n).replace("@@", "0") + "f1(2)")


@shape
def call_chain(n: int) -> str:
    head = "".join(f"def f{i}(x):\n    return f{i + 1}(x)\n\n\n" for i in range(n))
    return exported(head + f"def f{n}(x):\n    return torch.compile(x)\n\n\nf0(1)")


@shape
def call_tree(n: int) -> str:
    head = "".join(f"def f{i}(x):\n    return f{i + 1}(x), f{i + 1}(x)\n\n\n" for i in range(n))
    return exported(head + f"def f{n}(x):\n    return torch.compile(x)\n\n\nf0(1)")


@shape
def call_branch_tree(n: int) -> str:
    head = "".join(f"def f{i}(x):\n    return f{i + 1}(x) if x else f{i + 1}(not x)\n\n\n" for i in range(n))
    return exported(head + f"def f{n}(x):\n    return torch.compile(x)\n\n\nf0(sys.argv)")


@shape
def functions_calling_all(n: int) -> str:
    head = "".join(
        f"def f{i}(x):\n    torch.compile(x)\n" + "".join(f"    f{j}(x)\n" for j in range(i)) + "\n\n" for i in range(n)
    )
    return exported(head)


@shape
def recursion(n: int) -> str:
    return exported("def f(x, n):\n    torch.compile(x)\n" + lines("f(x, n - @)", n, 4) + "\n\nf(1, 2)")


@shape
def closures(n: int) -> str:
    head = (
        "".join("    " * i + f"def f{i}(a{i}):\n" for i in range(min(n, 90)))
        + "    " * min(n, 90)
        + "return torch.compile(a0)\n"
    )
    return exported(
        head + "".join("    " * i + f"return f{i}\n" for i in reversed(range(1, min(n, 90)))) + "f0(1)" + "(1)" * n
    )


@shape
def decorators_stacked(n: int) -> str:
    return exported(
        "def d(f):\n    def g(*a):\n        return f(*a)\n    return g\n\n\n"
        + "@d\n" * n
        + "def f(x):\n    return torch.compile(x)\n\n\nf(1)"
    )


@shape
def decorators_applied(n: int) -> str:
    head = "import functools\n\n\ndef d(f):\n    @functools.wraps(f)\n    def g(*a):\n        return f(*a), f(*a)\n    return g\n\n\n"
    return exported(head + "f = torch.compile\n" + lines("f = d(f)", n) + "f(1)")


@shape
def lambda_chain(n: int) -> str:
    return exported("f = lambda x: x\n" + lines("f = lambda x, f=f: f(f(x))", n) + "f(1)")


@shape
def generators_chain(n: int) -> str:
    return exported(
        "def g(x):\n    for i in x:\n        yield i\n        yield i\n\n\nx = [1, 2]\n"
        + lines("x = g(x)", n)
        + "print(list(x))"
    )


@shape
def generator_expressions_chain(n: int) -> str:
    return exported("x = [1, 2]\n" + lines("x = (i for i in x for j in (1, 2))", n) + "print(list(x))")


@shape
def maps_chain(n: int) -> str:
    return exported("x = [1, 2]\n" + lines("x = map(str, filter(None, zip(x, x)))", n) + "print(list(x))")


@shape
def properties_chain(n: int) -> str:
    body = "".join(
        f"    @property\n    def p{i}(self):\n        return self.p{i + 1}, self.p{i + 1}\n" for i in range(n)
    )
    return exported(f"class A:\n{body}    p{n} = 1\n\n\nA().p0")


@shape
def getattr_recursion(n: int) -> str:
    return exported(
        "class A:\n    def __getattr__(self, name):\n        return "
        + "self.a + " * n
        + "1\n\n    def __getitem__(self, i):\n        return self[i + 1], self[i]\n\n\nA().b\nA()[0]\nlist(A())"
    )


@shape
def operator_recursion(n: int) -> str:
    return exported(
        "class A:\n    def __add__(self, o):\n        return self + o + self\n\n    def __eq__(self, o):\n        return o == self\n\n    def __iter__(self):\n        return iter(self)\n\n    def __len__(self):\n        return len(self)\n\n    __radd__ = __add__\n\n\na = A()\n"
        + lines("a = a + a\nlen(a)\nlist(a)\nA() == A()", n)
    )


@shape
def classes_many(n: int) -> str:
    return exported(
        lines("\n\nclass M@(torch.nn.Module):\n    def forward(self, x):\n        return torch.compile(x)", n)
    )


@shape
def methods_many(n: int) -> str:
    return exported(
        "class M(torch.nn.Module):\n"
        + lines("def m@(self, x):\n        self.a@ = torch.compile(x)\n        return self.m0(x)\n", n, 4)
    )


@shape
def classes_line(n: int) -> str:
    return exported(
        "class A0(torch.nn.Module):\n    a = 1\n\n\n"
        + "".join(f"class A{i + 1}(A{i}):\n    b{i} = 1\n\n\n" for i in range(n))
        + f"x = A{n}()\nx.a\nx.c\nx.cuda()"
    )


@shape
def classes_diamond(n: int) -> str:
    body = "".join(
        f"class B{i}(A{i}):\n    pass\n\n\nclass C{i}(A{i}):\n    pass\n\n\nclass A{i + 1}(B{i}, C{i}):\n    def forward(self, x):\n        return super().forward(x)\n\n\n"
        for i in range(n)
    )
    return exported(
        f"class A0(torch.nn.Module):\n    def forward(self, x):\n        return x\n\n\n{body}x = A{n}()\nx(1)\nx.a\ntorch.export.export(x, (torch.zeros(2),))"
    )


@shape
def classes_wide(n: int) -> str:
    head = "".join(f"class B{i}:\n    b{i} = 1\n\n\n" for i in range(n))
    return exported(
        f"{head}class C({', '.join(f'B{i}' for i in range(n))}):\n    pass\n\n\nx = C()\nx.b{n - 1}\nx.c\nC.d"
    )


@shape
def classes_unknown_bases(n: int) -> str:
    return exported(
        f"class C({', '.join(f'torch.nn.A{i}' for i in range(n))}):\n    pass\n\n\nx = C()\nx.b\n"
        + lines("x.c@ = C.d@", n)
    )


@shape
def classes_zigzag(n: int) -> str:
    body = "".join(
        f"class A{i}({', '.join(f'A{j}' for j in reversed(range(max(0, i - 6), i)))}):\n    pass\n\n\n"
        for i in range(n)
    )
    return exported(f"{body}x = A{n - 1}()\nx.a")


@shape
def class_choice_bases(n: int) -> str:
    body = "".join(f"class A{i + 1}(A{i} if sys.argv[{i}] else object):\n    a{i} = 1\n\n\n" for i in range(n))
    return exported(f"class A0:\n    pass\n\n\n{body}x = A{n}()\nx.a0\nx.b")


@shape
def class_in_itself(n: int) -> str:
    return exported(
        "class A:\n    a = 1\n\n\n" + lines("\n\nclass A(A):\n    a@ = A.a\n    A = A", n) + "A().a\nA.A.A.A"
    )


@shape
def metaclasses(n: int) -> str:
    body = "".join(
        f"class A{i + 1}(A{i}, metaclass=A{i}):\n    def __call__(cls, *a):\n        return super().__call__(*a)\n\n    def __new__(cls, *a):\n        return super().__new__(cls, *a)\n\n\n"
        for i in range(n)
    )
    return exported(f"class A0(type):\n    pass\n\n\n{body}x = A{n}()\nx()")


@shape
def attributes_many(n: int) -> str:
    return exported(
        "class A:\n    def __init__(self):\n"
        + lines("self.a@ = torch.zeros(@)", n, 8)
        + "\n\nx = A()\nprint(x)\nimport copy\ny = copy.deepcopy(x)\nf(x)\nvars(x)\nx.__dict__['b'] = 1"
    )


@shape
def modules_many(n: int) -> str:
    return exported(
        "class A(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        + lines("self.a@ = torch.nn.Linear(2, 3)", n, 8)
        + "\n    def forward(self, x):\n        return self.a0(x)\n\n\nx = A()\nx.cuda()\nx(torch.zeros(2, 2))\nx.to('cpu')\ntorch.export.export(x, (torch.zeros(2, 2),))"
    )


@shape
def moves_many(n: int) -> str:
    return exported(
        "m = torch.nn.Sequential("
        + "torch.nn.Linear(2, 2), " * 20
        + ")\n"
        + lines("m = m.to('cuda:@')\nm(torch.zeros(2, 2))", n)
    )


@shape
def references_around(n: int) -> str:
    return exported(
        "class A:\n    pass\n\n\na = A()\nb = A()\n"
        + lines("a.x@ = b\nb.x@ = a\nf(a)", n)
        + "print(a)\nimport copy\ncopy.deepcopy(a)\ntorch.save(a, 'a')"
    )


@shape
def linked_list(n: int) -> str:
    return exported(
        "a = [None]\n" + lines("a = [a]", n) + "f(a)\nprint(a)\ntorch.save(a, 'a')\nimport copy\nb = copy.deepcopy(a)"
    )


@shape
def linked_tuple(n: int) -> str:
    return exported(
        "a = (sys.argv,)\n" + lines("a = (a, @)", n) + "f(a)\nprint(a)\nb = {a: a}\nif a == b:\n    torch.load(a)"
    )


@shape
def lists_in_themselves(n: int) -> str:
    return exported(
        "a = []\nb = {}\n"
        + lines("a.append(a)\nb['a@'] = b\na.append(b)", n)
        + "f(a)\nprint(a, b)\ntorch.save((a, b), 'a')\nif a == b:\n    pass\nt = torch.tensor(a)"
    )


@shape
def dataclass_many(n: int) -> str:
    return exported(
        "import dataclasses\n\n\n@dataclasses.dataclass\nclass A:\n"
        + lines("a@: int = @", n, 4)
        + "\n\nx = A()\ny = A(3)\nx == y\ndataclasses.replace(x, a1=3)\ndataclasses.asdict(x)"
    )


@shape
def enum_many(n: int) -> str:
    return exported(
        "import enum\n\n\nclass E(enum.Enum):\n"
        + lines("a@ = @", n, 4)
        + "\n\nfor e in E:\n    print(e)\nE(3)\nE['a4']\nd = {e: 1 for e in E}"
    )


# ------------------------------------------------------------ findings and events


@shape
def findings_loads(n: int) -> str:
    return exported(lines("torch.load('a@.pt')", n))


@shape
def findings_exports(n: int) -> str:
    return exported("m = torch.nn.Linear(2, 3).cuda()\n" + lines("e = torch.export.export(m, (torch.zeros(2, 2),))", n))


@shape
def findings_packages(n: int) -> str:
    head = "m = torch.nn.Linear(2, 3)\n" + lines(
        "e@ = torch.export.export(m, (torch.zeros(@, 2),))\n"
        "p@ = torch._inductor.aoti_compile_and_package(e@, package_path='a@.pt2')\n"
        "r@ = torch._inductor.aoti_load_package('a@.pt2')\nr@(torch.zeros(@, 3))", n)  # fmt: skip
    return exported(head)


@shape
def findings_compiles(n: int) -> str:
    return exported(
        "def g(x):\n    return x\n\n\n" + lines("f@ = torch.compile(g, dynamic=True)\nf@(torch.zeros(@))", n)
    )


@shape
def findings_branches(n: int) -> str:
    return exported(
        "m = torch.nn.Linear(2, 3)\n"
        + lines("if sys.argv[@]:\n    m.cuda()\ntorch.load('a@')\ne = torch.export.export(m, (torch.zeros(2, 2),))", n)
    )


@shape
def ops_many(n: int) -> str:
    body = lines(
        "\n\n@torch.library.custom_op('mine::op@', mutates_args=())\ndef op@(x: torch.Tensor) -> torch.Tensor:\n    return x.clone()\n\n\n@op@.register_fake\ndef _(x):\n    return torch.empty_like(x)",
        n,
    )
    return exported(
        body
        + "\n\nclass M(torch.nn.Module):\n    def forward(self, x):\n"
        + lines("x = torch.ops.mine.op@(x)", n, 8)
        + "        return x\n\n\ntorch.export.export(M(), (torch.zeros(2),))"
    )


@shape
def ops_schema(n: int) -> str:
    args = ", ".join(f"Tensor a{i}" for i in range(n))
    return exported(
        f"lib = torch.library.Library('mine', 'DEF')\nlib.define('f({args}) -> Tensor')\nlib.define('g{'(' * n}')"
    )


@shape
def ops_of_one_function(n: int) -> str:
    return exported(
        "@torch.library.custom_op('lib::op', mutates_args=('x'))\n" * n
        + "def op(x: torch.Tensor) -> torch.Tensor:\n    return x"
    )


@shape
def ops_same(n: int) -> str:
    return exported(
        "lib = torch.library.Library('mine', 'DEF')\n"
        + lines("lib.define('f(Tensor a) -> Tensor')\nlib.impl('f', lambda a: a, 'CPU')", n)
    )


@shape
def dynamic_shapes_many(n: int) -> str:
    body = "class M(torch.nn.Module):\n    def forward(self, xs):\n        return xs[0]\n\n\n" + lines(
        "d@ = torch.export.Dim('d@', min=2, max=@@)", n
    ).replace("@@", "999")
    tensors = ", ".join(f"torch.zeros({i + 2})" for i in range(n))
    dims = ", ".join(f"{{0: d{i}}}" for i in range(n))
    return exported(f"{body}torch.export.export(M(), ([{tensors}],), dynamic_shapes=([{dims}],))")


@shape
def script_arguments_loads(n: int) -> str:
    return exported("a = sys.argv[1]\n" + lines("m@ = torch.load(a + '@') if a == 'x@' else torch.load(a)", n))


# ------------------------------------------------------------ projects


@shape
def mutual_imports(n: int) -> Files:
    files = {
        f"m{i}.py": f"from m{(i + 1) % n} import x{(i + 1) % n}\nimport m{(i * 7) % n}\nx{i} = x{(i + 1) % n}\n"
        for i in range(n)
    }
    return {**files, "script.py": exported("import m0\nprint(m0.x0)")}


@shape
def import_chain(n: int) -> Files:
    files = {f"m{i}.py": f"from m{i + 1} import f as g\n\n\ndef f(x):\n    return g(x)\n" for i in range(n)}
    last = "import torch\n\n\ndef f(x):\n    return torch.compile(x)\n"
    return {**files, f"m{n}.py": last, "script.py": exported("from m0 import f\nf(1)")}


@shape
def star_imports(n: int) -> Files:
    files = {f"m{i}.py": f"from m{i + 1} import *\nfrom m{i + 2} import *\nx{i} = 1\n" for i in range(n)}
    return {**files, f"m{n}.py": "", f"m{n + 1}.py": "", "script.py": exported("from m0 import *\nprint(x3)")}


@shape
def star_imports_mutual(n: int) -> Files:
    files = {f"m{i}.py": "".join(f"from m{j} import *\n" for j in range(n)) + f"x{i} = 1\n" for i in range(n)}
    return {**files, "script.py": exported("from m0 import *\nprint(x3)")}


@shape
def imports_everywhere(n: int) -> Files:
    files = {
        f"m{i}.py": "import torch\n" + "".join(f"import m{j}\n" for j in range(n)) + f"torch.compile({i})\n"
        for i in range(n)
    }
    return {**files, "script.py": exported("import m0")}


@shape
def package_deep(n: int) -> Files:
    n = min(n, 200)
    files = {"/".join(["p"] * (i + 1)) + "/__init__.py": "from . import p\n" for i in range(n)}
    return {**files, "script.py": exported("import " + ".".join(["p"] * n))}


@shape
def scripts_many(n: int) -> Files:
    return {f"s{i}.py": exported(f"torch.load('a{i}')\ntorch.save(1, 'a{(i + 1) % n}')") for i in range(n)}


def all_files(names: list[str], n: int) -> Files:
    """The files of several shapes as one project."""
    return dict(chain.from_iterable(files_of(SHAPES[name](n)).items() for name in names))
