"""Small random Python programs that always end: material to compare the interpreter with Python."""

from __future__ import annotations

import random
from collections.abc import Callable

HEAD = """\
import os
unsure = bool(os.environ.get("AOTI_LINT_TEST_UNSURE"))
log = []
class Swallow:
    def __init__(self, yes): self.yes = yes
    def __enter__(self): return 5
    def __exit__(self, *caught): return self.yes
class Box:
    shared = []
    size = 1
    def __init__(self, n): self.n = n
    def add(self, k):
        self.n += k
        return self
    @property
    def twice(self): return self.n * 2
    def __eq__(self, other): return isinstance(other, Box) and self.n == other.n
    def __bool__(self): return self.n > 2
def count(n):
    for i in range(n):
        log.append(i)
        yield i
"""
"""What every program begins with; `unsure` is what the interpreter does not know."""


class Writer:
    """Writes one program. The names of variables begin with the letter of what they hold."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.names: dict[str, list[str]] = {kind: [] for kind in "nsldgbf"}
        self.made = 0
        self.in_loop = self.in_function = False

    def program(self) -> str:
        lines = [f"{kind}0 = {text}" for kind, text in (("n", "3"), ("s", "'ab'"), ("l", "[2, 1]"), ("d", "{'a': 1}"))]
        for kind in "nsld":
            self.names[kind].append(f"{kind}0")
        return HEAD + "\n".join(lines + self.block(self.random.randint(6, 14), 0)) + "\n"

    # ------------------------------------------------------------ expressions

    def one(self, *options: str) -> str:
        return self.random.choice(options)

    def var(self, kind: str) -> str:
        return self.random.choice(self.names[kind])

    def number(self, depth: int = 0) -> str:
        if depth > 1 or self.random.random() < 0.3:
            return self.one("0", "1", "2", "7", self.var("n"), self.var("n"))
        box = f"{self.var('b')}.{self.one('n', 'twice', 'size')}" if self.names["b"] else "4"
        called = f"{self.var('f')}({self.number(2)})" if self.names["f"] else "5"
        following = f"next({self.var('g')}, 9)" if self.names["g"] else "6"
        low, high = self.number(depth + 1), self.number(depth + 1)
        return self.one(
            f"({low} + {high})",
            f"({low} - {high})",
            f"({low} * 2 % 11)",
            f"len({self.items(depth + 1)})",
            f"({low} if {self.truth(depth + 1)} else {high})",
            f"sum({self.items(depth + 1)})",
            box,
            called,
            following,
            f"{self.var('d')}.get({self.text(2)}, 3)",
            f"max({low}, {high})",
            f"({self.items(2)} or [8])[0]",
            f"len({self.var('d')})",
            f"(lambda x, y={low}: x + y)({high})",
        )

    def text(self, depth: int = 0) -> str:
        if depth > 1 or self.random.random() < 0.5:
            return self.one("'a'", "'b'", "'xyz'", self.var("s"))
        return self.one(
            f"({self.text(2)} + {self.text(2)})[:6]",
            f"f'{{{self.number(2)}}}-{{{self.var('s')}}}'[:6]",
            f"{self.var('s')}.upper()",
            f"'%s.%d' % ({self.var('s')}, {self.number(2)} % 100)",
            f"''.join(reversed({self.var('s')}))",
            f"{self.var('s')}[::-1]",
            f"'{{}}'.format({self.number(2)})",
        )

    def items(self, depth: int = 0) -> str:
        if depth > 1 or self.random.random() < 0.4:
            return self.one("[]", "[3, 4]", self.var("l"), self.var("l"))
        generator = f"list({self.var('g')})" if self.names["g"] else "[9]"
        low = self.number(2)
        return self.one(
            f"[x + {low} for x in {self.var('l')}]",
            f"[x for x in {self.var('l')} if x > {low}]",
            f"sorted({self.var('l')})",
            f"{self.var('l')}[::{self.one('-1', '2')}]",
            f"{self.var('l')}[{self.one('0', '1')}:]",
            f"list(range({low} % 5))",
            f"[*{self.var('l')}, {low}]",
            f"list({self.var('d')}.values())",
            generator,
            f"({self.var('l')} + [{low}])",
            f"list(map(lambda x: x * 2, {self.var('l')}))",
            f"[a + b for a, b in zip({self.var('l')}, count(2))]",
            f"list(dict.fromkeys({self.var('l')}))",
            f"[i for i, _ in enumerate({self.var('l')})]",
        )

    def truth(self, depth: int = 0) -> str:
        if self.random.random() < 0.25:
            return self.one("unsure", "not unsure")
        box = f"{self.var('b')} == Box({self.number(2)})" if self.names["b"] else "True"
        return self.one(
            f"{self.number(2)} < {self.number(2)}",
            f"{self.number(2)} == {self.number(2)}",
            f"{self.number(2)} in {self.var('l')}",
            f"{self.text(2)} in {self.var('d')}",
            f"{self.var('l')}",
            f"not {self.var('d')}",
            box,
            f"1 < {self.number(2)} <= 5",
            f"any(x > 2 for x in {self.var('l')})",
            f"isinstance({self.var('n')}, int)",
            f"bool({self.var('b')})" if self.names["b"] else "False",
            f"unsure and {self.number(2)} > 2",
        )

    # ------------------------------------------------------------ statements

    def new(self, kind: str) -> str:
        """A new name, or one that is bound already."""
        if self.names[kind] and self.random.random() < 0.5:
            return self.var(kind)
        self.made += 1
        return f"{kind}{self.made}"

    def bind(self, kind: str, name: str) -> None:
        if name not in self.names[kind]:
            self.names[kind].append(name)

    def block(self, count: int, depth: int) -> list[str]:
        lines: list[str] = []
        for _ in range(count):
            lines += self.statement(depth)
        return lines or ["pass"]

    def inner(self, depth: int) -> list[str]:
        """An indented block; what it binds first is not known to be bound behind it."""
        before = {kind: list(names) for kind, names in self.names.items()}
        lines = [f"    {line}" for line in self.block(self.random.randint(1, 3), depth + 1)]
        self.names = before
        return lines

    def statement(self, depth: int) -> list[str]:
        plain: list[Callable[[], list[str]]] = [
            self.assign,
            self.assign,
            self.change,
            self.change,
            self.change,
            self.make,
        ]
        nested = [self.branch, self.loop, self.guarded, self.managed, self.matched, self.function]
        if depth < 2 and self.random.random() < 0.4:
            return self.random.choice(nested)(depth)
        if self.in_loop and self.random.random() < 0.12:
            return [f"if {self.truth()}: {self.one('break', 'continue')}"]
        if self.in_function and self.random.random() < 0.12:
            return [f"if {self.truth()}: return {self.number()}"]
        return self.random.choice(plain)()

    def assign(self) -> list[str]:
        kind = self.one(*"nsld")
        made = {"n": self.number, "s": self.text, "l": self.items, "d": self.table}[kind]()
        name = self.new(kind)
        self.bind(kind, name)
        return [f"{name} = {made}"]

    def table(self) -> str:
        return self.one(
            "{}",
            f"{{'a': {self.number(2)}}}",
            f"{{**{self.var('d')}, {self.text(2)}: {self.number(2)}}}",
            f"{{str(k): k for k in {self.var('l')}}}",
            f"dict({self.var('d')})",
            f"({self.var('d')} | {{'b': 4}})",
        )

    def change(self) -> list[str]:
        numbers, texts, entries = self.var("l"), self.var("s"), self.var("d")
        box = f"{self.var('b')}.add({self.number()})" if self.names["b"] else f"log.append({self.number()})"
        return [
            self.one(
                f"{self.var('n')} += {self.number(1)}",
                f"{numbers}.append({self.number()})",
                f"{numbers}.insert(0, {self.number(2)})",
                f"{numbers} = {numbers}[:8]",
                f"{numbers} += {self.items(2)}[:3]",
                f"{numbers}.reverse()",
                f"{numbers}.sort()",
                f"{numbers}[:1] = []",
                f"del {numbers}[1:2]",
                f"{entries}[{self.text(1)}] = {self.number()}",
                f"{entries}.setdefault({self.text(2)}, {self.number(2)})",
                f"{entries}.pop({self.text(2)}, None)",
                f"{entries}.update(c={self.number(2)})",
                f"{entries} |= {{'z': {self.number(2)}}}",
                f"{texts} += 'q'",
                box,
                f"{numbers} and {numbers}.pop()",
                f"log.append({self.number()})",
                f"Box.size = {self.number(2)}",
                f"Box.shared.append({self.number(2)})",
                f"n0, {self.var('n')} = {self.number(2)}, n0",
                f"{texts} = {texts}[:4]",
            )
        ]

    def make(self) -> list[str]:
        kind = self.one("g", "g", "b", "f")
        name = self.new(kind)
        made = {
            "g": self.one(
                f"iter({self.var('l')}[:5])",
                "count(3)",
                f"(x * 2 for x in {self.var('l')}[:5])",
                f"map(abs, {self.var('l')}[:5])",
                f"iter({self.var('s')}.encode())",
            ),
            "b": f"Box({self.number()})",
            "f": self.one("lambda x: x + n0", f"lambda x, y={self.number(2)}: x - y", "lambda x: len(l0) + x"),
        }[kind]
        self.bind(kind, name)
        return [f"{name} = {made}"]

    def branch(self, depth: int) -> list[str]:
        lines = [f"if {self.truth()}:", *self.inner(depth)]
        return lines + (["else:", *self.inner(depth)] if self.random.random() < 0.5 else [])

    def loop(self, depth: int) -> list[str]:
        outside, self.in_loop = self.in_loop, True
        source = self.one(
            f"list({self.var('l')})", f"range({self.number(2)} % 4)", self.var("l") + "[:5]", "count(3)", "'pq'"
        )
        if self.names["g"]:
            source = self.one(source, self.var("g"))
        lines = [f"for i{depth} in {source}:", *self.inner(depth)]
        self.in_loop = outside
        return lines + (["else:", *self.inner(depth)] if self.random.random() < 0.3 else [])

    def guarded(self, depth: int) -> list[str]:
        failing = self.one(
            "raise ValueError", "raise KeyError('k')", f"if {self.truth()}: raise ValueError", "{}['gone']", "pass"
        )
        outside, self.in_loop = self.in_loop, False
        lines = ["try:", *self.inner(depth), f"    {failing}", *self.inner(depth)]
        lines += [f"except {self.one('ValueError', '(KeyError, ValueError)', 'Exception')}:", *self.inner(depth)]
        if "Exception" not in lines[-1]:
            lines += ["except LookupError:", *self.inner(depth)]
        if self.random.random() < 0.3:
            lines += ["else:", *self.inner(depth)]
        if self.random.random() < 0.5:
            lines += ["finally:", *self.inner(depth)]
        self.in_loop = outside
        return lines

    def managed(self, depth: int) -> list[str]:
        swallows = self.one("True", "True", "unsure", "False")
        raised = ["    raise ValueError"] if swallows == "True" and self.random.random() < 0.6 else []
        return [
            f"with Swallow({swallows}) as {self.var('n')}:",
            *self.inner(depth),
            *raised,
            *(self.inner(depth) if raised else []),
        ]

    def matched(self, depth: int) -> list[str]:
        subject, first = self.one(
            f"{self.number()}|1",
            f"({self.number(2)}, {self.number(2)})|(1, x)",
            f"{self.var('l')}|[x, *_]",
            f"{self.text()}|'a' | 'b'",
            f"{self.var('d')}|{{'a': x}}",
        ).split("|", 1)
        guard = f" if {self.truth()}" if self.random.random() < 0.3 else ""
        body = [f"    {line}" for line in self.inner(depth)]
        other = [f"    {line}" for line in self.inner(depth)]
        return [f"match {subject}:", f"    case {first}{guard}:", *body, "    case _:", *other]

    def function(self, depth: int) -> list[str]:
        """A function that counts its calls, changes things outside, and may leave early."""
        self.made += 1
        name = f"f{self.made}"
        outside, self.in_function, in_loop, self.in_loop = self.in_function, True, self.in_loop, False
        hidden, self.names = self.names, {k: list(v) for k, v in self.names.items()}
        self.names = {**self.names, "n": ["x", "total"], "f": []}
        body = self.inner(depth)
        self.names, self.in_function, self.in_loop = hidden, outside, in_loop
        lines = [f"def {name}(x, calls=[]):", "    calls.append(1)", "    total = len(calls)"]
        # The body may bind what it also reads: all of it is that of the module.
        used = sorted({n for kind in "sldgb" for n in hidden[kind] if any(n in line for line in body)})
        lines += [f"    global {', '.join(used)}"] if used else []
        lines += [*body, "    return total"]
        if depth:
            return [f"log.append({self.number()})"]
        self.names["f"].append(name)
        return lines


def program(seed: int) -> str:
    return Writer(seed).program()
