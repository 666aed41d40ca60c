"""Shell scripts, followed as far as their text tells: what is exported when a Python script is started.

Every branch is taken apart from the others, the body of a loop twice, a function where it is called. Nothing is run.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from aoti_lint.diagnostics import Span
from aoti_lint.lazily.regex import regex
from aoti_lint.source.interest.needles import VARIABLES
from aoti_lint.source.settings.launch import NAME, Launch, launch
from aoti_lint.source.settings.model import Assignment, Settings, Word
from aoti_lint.source.settings.scope import Scope
from aoti_lint.source.settings.snippet import Snippet
from aoti_lint.source.settings.words import DEFAULT, HERE, USUAL, joined, or_default, parse, raw, text_of
from aoti_lint.text.lines import LineIndex
from aoti_lint.text.problem import SourceProblem

if TYPE_CHECKING:
    from tree_sitter import Node

MAX_STEPS = 20_000
"""Commands followed in one script; calls and loops may make many out of few."""
MAX_CALLS = 8
MAX_LOOPS = 3
"""Loops inside each other whose bodies are taken twice."""
_SPREADS, _MATCHES = regex(r"\$\{?(?:@|\w+\[@\])"), regex(r"[*?\[]|(?<!\$)\{")
"""Words in quotation marks that become several, and others that files, or what stands between commas, are put for."""
_READ, _NAMED = regex(r"\$\{?(\w+)"), regex(r"\w+")
_EXPORTED = regex(r"(?m)\bexport\b(.*)$")
_UNSEEN = frozenset({"source", ".", "eval"})
"""Commands that run other code in this shell."""
_DEAF = frozenset({
    ":", "[", "apt-get", "cd", "chmod", "chown", "cp", "echo", "ln", "ls", "mkdir", "mv", "popd", "printf", "pushd",
    "pwd", "rm", "set", "test", "touch", "true",
})  # fmt: skip
"""Commands for which the variables of torch make no difference."""


class SpentSteps(Exception):
    """The script is too large to follow to its end."""


def read_shell(snippet: Snippet, settings: Settings, scope: Scope | None = None, *, ends: bool = False) -> Scope:
    """Note what a shell script sets and starts, from `scope` on; gives the scope at its end.

    `ends`: the shell that runs it runs nothing else, and what it exports ends with it.

    Raises `SourceProblem` for text that is no shell, or ends too early. What is not understood within it is a gap: the
    grammar does not know all of the language (8 % of 500 scripts of a Debian system and its programs have such places).
    """
    shell = _Shell(snippet, settings, scope or Scope())
    found = shell.read()
    if ends:
        read = set(_READ.findall(snippet.text)) if shell.lost else ()
        settings.unheard += [replace(made, command="") for name, made in shell.lost.items() if name not in read]
    return found


class _Shell:
    def __init__(self, snippet: Snippet, settings: Settings, scope: Scope) -> None:
        self.snippet, self.settings, self.scope = snippet, settings, scope
        self.data = snippet.text.encode()
        self.lines = LineIndex(snippet.text)
        self.functions: dict[str, Node] = {}
        self.called: set[str] = set()
        self.depth = self.loops = self.calls = self.steps = 0
        self.after = 0
        """How many of the branches around come unless something before them fails, and then all is at its end."""
        self.broken = False
        self.sees_all = True
        """Whether no other file was read that may export anything."""
        self.unheard: dict[str, Assignment] = {}
        """Variables of torch that the shell alone has, by name, until something is started."""
        self.lost: dict[str, Assignment] = {}
        """Those that it exports, until something is started."""

    def read(self) -> Scope:
        root = parse(self.data).root_node
        if root.has_error:
            self.gaps(root)
        try:
            self.run(root)
            # Somebody may call what nobody calls here, such as the function a `"$@"` names.
            self.depth += 1
            for name, body in list(self.functions.items()):
                if name not in self.called:
                    self.apart([body])
        except SpentSteps:
            # Those that were not seen may start a script with something else.
            self.settings.starts.clear()
        except RecursionError:
            raise SourceProblem(self.snippet.path, "nested too deeply to be read") from None
        return self.scope

    def gaps(self, root: Node) -> None:
        """Note what is not understood. Raises where it goes on to the end: nobody knows what else it swallowed."""
        todo, end = [root], len(self.data.rstrip())
        while todo:
            node = todo.pop()
            if (node.is_error or node.is_missing) and node.type != "heredoc_end":
                span = self.span(node)
                if (node.is_error and node.parent is None) or node.end_byte >= end:
                    raise SourceProblem(self.snippet.path, "from here on this is not understood as shell", span.start)
                self.settings.gaps.append(span)
                self.broken = True
            else:
                todo += [child for child in reversed(node.children) if child.has_error or child.is_missing]

    # ------------------------------------------------------------ places

    def chars(self, node: Node) -> tuple[int, int]:
        return self.lines.byte_to_char(node.start_byte), self.lines.byte_to_char(node.end_byte)

    def span(self, node: Node) -> Span:
        return self.snippet.span(*self.chars(node))

    def word(self, node: Node) -> Word:
        text, written = text_of(node, self.scope.names), _text(node)
        text = None if text is None else text.replace(USUAL, "")
        quoted = node.type in ("string", "raw_string", "ansi_c_string")
        several = _SPREADS.search(written) if quoted else text is None or _MATCHES.search(written)
        return Word(text, written, *self.chars(node), several=bool(several))

    def outward_word(self, word: Word) -> Word:
        """What a program is given as a word: the folder of the file as the project names it."""
        if word.text is None or HERE not in word.text:
            return word
        folder = posixpath.dirname(self.snippet.path) or "."
        text = posixpath.normpath(word.text.replace(HERE, folder)) if word.text.startswith(HERE) else None
        return replace(word, text=text)

    # ------------------------------------------------------------ control

    def run(self, node: Node) -> None:
        """Follow a statement."""
        self.steps += 1
        if self.steps > MAX_STEPS:
            raise SpentSteps
        match node.type:
            case "program" | "compound_statement" | "do_group" | "redirected_statement" | "negated_command":
                self.run_each(node.named_children)
            case "list":
                self.run_list(node)
            case "subshell":
                self.apart(node.named_children)
            case "pipeline":
                for child in node.named_children:
                    self.apart([child])
            case "if_statement":
                self.run_if(node)
            case "case_statement":
                self.branches(child.named_children for child in node.named_children if child.type == "case_item")
            case "while_statement" | "for_statement" | "c_style_for_statement":
                self.run_loop(node)
            case "function_definition":
                name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
                if name is not None and body is not None:
                    self.functions[_text(name)] = body
            case "variable_assignment":
                self.assign(node, exported=False)
            case "variable_assignments":
                for child in node.named_children:
                    self.assign(child, exported=False)
            case "declaration_command":
                self.declare(node)
            case "unset_command":
                for child in node.named_children:
                    self.scope.forget(_text(child))
            case "command":
                self.command(node)
            case "ERROR":
                self.scope.doubt()

    def run_each(self, statements: Iterable[Node]) -> None:
        for one in statements:
            self.run(one)

    def apart(self, statements: Iterable[Node]) -> Scope:
        """Follow statements in a scope of their own; gives that scope."""
        kept, self.scope = self.scope, self.scope.copy()
        try:
            self.run_each(statements)
        finally:
            inner, self.scope = self.scope, kept
        return inner

    def branches(self, arms: Iterable[Iterable[Node]]) -> None:
        """Follow several arms, each of which may run or not."""
        self.depth += 1
        ends = [self.apart(arm) for arm in arms]
        self.depth -= 1
        self.scope.merge(ends)

    def run_list(self, node: Node) -> None:
        """`a && b && c`, `a || b`: the first surely comes; of a chain of `&&`, each comes after those before it."""
        links: list[Node] = []
        only_after = True
        while node.type == "list" and (not links or any(child.type == "&&" for child in node.children)):
            only_after = only_after and any(child.type == "&&" for child in node.children)
            links[:0] = node.named_children[1:]
            node = node.named_children[0]
        self.run(node)
        self.after += only_after
        self.branches([links])
        self.after -= only_after

    def run_if(self, node: Node) -> None:
        """The test always comes; each arm may."""
        arms: list[list[Node]] = [[]]
        told = False
        for child in node.children:
            if child.type == "then":
                told = True
            elif child.type in ("elif_clause", "else_clause"):
                arms.append(child.named_children)
            elif told:
                arms[0].append(child)
            elif child.is_named:
                self.run(child)
        self.branches(arms)

    def run_loop(self, node: Node) -> None:
        """The body may come several times, so what it leaves meets its own start."""
        variable = node.child_by_field_name("variable")
        if variable is not None:
            self.scope.names[_text(variable)] = None
        self.loops += 1
        for _ in range(2 if self.loops <= MAX_LOOPS else 1):
            self.branches([[child for child in node.named_children if child != variable]])
        self.loops -= 1

    # ------------------------------------------------------------ variables

    def made(self, node: Node) -> Assignment | None:
        """What `A=1` assigns; None for elements of arrays."""
        name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        if name is None or name.type != "variable_name" or (value is not None and value.type == "array"):
            return None
        text = "" if value is None else text_of(value, self.scope.names)
        written = _text(name)
        if any(child.type == "+=" for child in node.children):
            before = self.scope.names.get(written)
            text = joined((before, text))
        return Assignment(written, text, self.span(node), conditional=self.depth > 0)

    def outward(self, made: Assignment) -> Assignment:
        """What programs see: the real name of the folder of the file is not known, nor whether a default counts."""
        return made if made.value is None or not {HERE, USUAL} & {*made.value} else replace(made, value=None)

    def assign(self, node: Node, *, exported: bool) -> None:
        made = self.made(node)
        if made is None:
            return
        if exported or self.scope.every or made.name in self.scope.exported:
            self.export(made)
        else:
            self.scope.names[made.name] = made.value
            if made.name.encode().startswith(VARIABLES) and made.name not in self.used:
                self.unheard[made.name] = made

    @cached_property
    def used(self) -> set[str]:
        """The variables that the script itself has a use for, or exports somewhere."""
        exported = (name for line in _EXPORTED.findall(self.snippet.text) for name in _NAMED.findall(line))
        return {*_READ.findall(self.snippet.text), *exported}

    def export(self, made: Assignment) -> None:
        self.unheard.pop(made.name, None)
        seen = self.outward(made)
        if made.name.encode().startswith(VARIABLES) and self.depth <= self.after:
            self.lost[made.name] = seen
        self.settings.set(seen)
        # In its own branch it holds; those who come out of the branch are told that it may not.
        self.scope.export(replace(seen, conditional=False))
        self.scope.names[made.name] = made.value

    def declare(self, node: Node) -> None:
        """`export`, `declare`, `local` and the like."""
        verb = _text(node.children[0])
        options = [_text(child) for child in node.named_children if child.type == "word"]
        flags = "".join(option[1:] for option in options if option.startswith("-"))
        if verb == "export" and "n" in flags:
            for child in node.named_children:
                self.scope.exported.pop(_text(child).partition("=")[0], None)
            return
        exported = verb == "export" or "x" in flags
        for child in node.named_children:
            if child.type == "variable_assignment":
                self.assign(child, exported=exported)
            elif child.type == "variable_name" and exported:
                name = _text(child)
                if name not in self.scope.exported and name in self.scope.names:
                    value = self.scope.names[name]
                    self.export(Assignment(name, value, self.span(child), conditional=self.depth > 0))

    # ------------------------------------------------------------ commands

    def command(self, node: Node) -> None:
        prefix = [child for child in node.named_children if child.type == "variable_assignment"]
        name = node.child_by_field_name("name")
        if name is None:
            for child in prefix:
                self.assign(child, exported=False)
            return
        # The grammar joins a row of assignments with the command on the next row.
        own: list[Node] = []
        for child, after in zip(prefix, [*prefix[1:], name], strict=False):
            if b"\n" in self.data[child.end_byte : after.start_byte].replace(b"\\\n", b""):
                for one in [*own, child]:
                    self.assign(one, exported=False)
                own = []
            else:
                own.append(child)
        words = self.words([name, *node.children_by_field_name("argument")])
        given = [made for made in map(self.made, own) if made is not None]
        self.steps += len(words)
        self.execute(node, words, given)

    def words(self, written: list[Node]) -> list[Word]:
        """The words, those out of a variable that holds several split."""
        words: list[Word] = []
        for node in written:
            word = self.word(node)
            inner = node.named_children[0] if node.type == "command_name" and node.named_children else node
            if inner.type in ("simple_expansion", "expansion") and word.text is not None:
                words += [replace(word, text=one, raw=one) for one in word.text.split()]
            else:
                words.append(word)
            if self.steps + len(words) > MAX_STEPS:
                raise SpentSteps
        return words

    def execute(self, node: Node, words: list[Word], given: list[Assignment]) -> None:
        """Follow one command; `given` are the variables in front of it."""
        verb = words[0].text if words else None
        if verb not in _DEAF:
            self.lost.clear()
        if verb in self.functions and self.calls < MAX_CALLS:
            self.call(verb, given)
        elif verb == "cd" and len(words) > 1:
            self.scope.enter(words[1].text)
        elif verb in ("pushd", "popd"):
            self.scope.enter(None)
        elif verb == ":":
            for word in words[1:]:
                if (found := DEFAULT.fullmatch(word.raw.strip('"'))) is not None and found[3] == "=":
                    self.scope.names[found[1]] = or_default(found, self.scope.names)
        elif verb == "set":
            self.options([word.text or "" for word in words[1:]])
        elif verb in _UNSEEN:
            self.scope.doubt()
            self.sees_all = False
        elif verb in ("read", "mapfile", "readarray", "getopts", "printf"):
            for word in words[1:]:
                if word.text in self.scope.names:
                    self.scope.names[word.text or ""] = None
        else:
            self.start(node, launch(words), given)

    def call(self, name: str | None, given: list[Assignment]) -> None:
        """Run a function of the script in its scope."""
        body = self.functions[name or ""]
        self.called.add(name or "")
        before = {made.name: (self.scope.names.get(made.name), self.scope.exported.get(made.name)) for made in given}
        for made in given:
            self.export(made)
        self.calls += 1
        self.run(body)
        self.calls -= 1
        for variable, (value, exported) in before.items():
            self.scope.forget(variable)
            self.scope.names[variable] = value
            if exported is not None:
                self.scope.exported[variable] = exported

    def options(self, words: list[str]) -> None:
        """`set -a`, `set -o allexport`, and with `+` the opposite."""
        for index, word in enumerate(words):
            short = word[:1] in "-+" and "a" in word[1:] and not word.startswith("--") and word[1:].isalpha()
            named = word in ("-o", "+o") and words[index + 1 : index + 2] == ["allexport"]
            if short or named:
                self.scope.every = word.startswith("-")

    def start(self, node: Node, found: Launch, given: list[Assignment]) -> None:
        """Note the variables of a command, and the script that it starts."""
        variables = {} if found.clean else dict(self.scope.exported)
        inline = [*given] if not found.clean else []
        for name, value, word in found.given:
            if NAME.fullmatch(name):
                span = self.snippet.span(word.start, word.end)
                inline.append(Assignment(name, value, span, conditional=self.depth > 0))
        for name in found.unset:
            variables.pop(name, None)
        for made in map(self.outward, inline):
            self.settings.set(made)
            variables[made.name] = replace(made, conditional=False)
        if self.broken:
            variables = {name: replace(made, conditional=True) for name, made in variables.items()}
        if found.shell is not None and found.shell.text is not None:
            self.inner(found.shell, variables)
        elif found.command is not None:
            command, may_not_come = self.scope.reached(found.command), self.depth > self.after or self.broken
            words = list(map(self.outward_word, found.words))
            for made in [one for one in self.unheard.values() if one.name not in variables and self.sees_all]:
                self.settings.unheard.append(replace(made, command=command))
            self.unheard.clear()
            self.settings.start(command, self.span(node), variables, words, conditional=may_not_come)

    def inner(self, word: Word, variables: dict[str, Assignment]) -> None:
        """The commands of a `sh -c`."""
        span = self.snippet.span(word.start, word.end)
        snippet = Snippet(self.snippet.path, self.snippet.lines, word.text or "", [], span)
        values = {name: made.value for name, made in variables.items()}
        shell = _Shell(snippet, self.settings, Scope(values, variables, self.scope.folder))
        shell.depth, shell.steps = self.depth, self.steps
        try:
            shell.read()
        except SourceProblem:
            # Quoted text of another language, or of a shell we do not know.
            pass
        self.steps = shell.steps


def _text(node: Node) -> str:
    return raw(node).decode("utf-8", "replace")
