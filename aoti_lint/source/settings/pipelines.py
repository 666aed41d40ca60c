"""Workflows and actions of GitHub, pipelines of GitLab, and compose files."""

from __future__ import annotations

import posixpath
import re
import shlex
from collections.abc import Iterable
from typing import TYPE_CHECKING

from aoti_lint.lazily.regex import regex
from aoti_lint.source.settings.launch import NAME, launch
from aoti_lint.source.settings.model import Assignment, Settings, Word
from aoti_lint.source.settings.scope import Scope
from aoti_lint.source.settings.shell import read_shell
from aoti_lint.source.settings.snippet import Snippet
from aoti_lint.source.settings.tree import (
    child,
    documents,
    entries,
    is_mapping,
    is_null,
    is_scalar,
    items,
    snippet_of,
    span_of,
)
from aoti_lint.source.text import Source
from aoti_lint.text.problem import SourceProblem

if TYPE_CHECKING:
    from yaml.nodes import Node

_EXPRESSION = regex(r"\$\{\{.*?(?:\}\}|\Z)", re.DOTALL)
_SHELLS = ("bash", "sh")
_NO_JOBS = frozenset({"variables", "default", "stages", "include", "workflow", "image", "services", "cache", "spec"})
_DEPTH = 8

Variables = dict[str, Assignment]


def read_yaml(source: Source) -> Settings:
    """What a pipeline or compose file sets and starts; nothing of other YAML.

    Raises `SourceProblem` for what is no YAML.
    """
    settings = Settings(source.path)
    for document in documents(source):
        file = _File(source, settings)
        if is_mapping(child(document, "jobs")):
            file.workflow(document)
        elif is_mapping(child(document, "runs")):
            file.steps(child(document, "runs"), {}, None)
        elif is_mapping(child(document, "services")) and child(document, "script") is None:
            settings.packed = True
            file.compose(document)
        else:
            file.gitlab(document)
    return settings.finish()


class _File:
    def __init__(self, source: Source, settings: Settings) -> None:
        self.source, self.settings = source, settings

    # ------------------------------------------------------------ GitHub

    def workflow(self, document: Node) -> None:
        """https://docs.github.com/actions/reference/workflows-and-actions/workflow-syntax"""
        around = self.variables(child(document, "env"))
        shell = child(document, "defaults", "run", "shell")
        for _, job in entries(child(document, "jobs")).values():
            inner = around | self.variables(child(job, "container", "env")) | self.variables(child(job, "env"))
            self.steps(job, inner, child(job, "defaults", "run", "shell") or shell)

    def steps(self, job: Node | None, around: Variables, shell: Node | None) -> None:
        """The steps of a job or an action: each has a shell of its own."""
        for step in items(child(job, "steps")):
            inner = around | self.variables(child(step, "env"))
            run, own = child(step, "run"), child(step, "shell") or shell
            name = own.value.split(" ")[0] if is_scalar(own) else "bash"
            if is_scalar(run) and posixpath.basename(name) in _SHELLS:
                folder = child(step, "working-directory")
                place = None if not is_scalar(folder) or "${{" in folder.value else folder.value
                self.script([run], inner, place or "", ends=True)

    # ------------------------------------------------------------ GitLab

    def gitlab(self, document: Node) -> None:
        """https://docs.gitlab.com/ci/yaml/"""
        around = self.variables(child(document, "variables"))
        jobs = {name: job for name, (_, job) in entries(document).items() if name not in _NO_JOBS and is_mapping(job)}
        first = child(document, "default", "before_script") or child(document, "before_script")
        last = child(document, "default", "after_script") or child(document, "after_script")
        for job in jobs.values():
            inner = around | self.inherited(jobs, job, 0)
            self.script([*items(child(job, "before_script") or first), *items(child(job, "script"))], inner)
            self.script(items(child(job, "after_script") or last), inner)

    def inherited(self, jobs: dict[str, Node], job: Node, depth: int) -> Variables:
        """The variables of a job and of those it extends."""
        found: Variables = {}
        for base in items(child(job, "extends")) if depth < _DEPTH else ():
            if is_scalar(base) and base.value in jobs:
                found |= self.inherited(jobs, jobs[base.value], depth + 1)
        return found | self.variables(child(job, "variables"))

    # ------------------------------------------------------------ compose

    def compose(self, document: Node) -> None:
        """https://docs.docker.com/reference/compose-file/services/"""
        for _, service in entries(child(document, "services")).values():
            inner = self.variables(child(service, "environment"), dollars=True)
            words = [*self.words(child(service, "entrypoint")), *self.words(child(service, "command"))]
            found = launch(words)
            folder = child(service, "working_dir")
            scope = Scope({}, inner, folder.value if is_scalar(folder) else "")
            place = child(service, "command") or child(service, "entrypoint")
            if place is None:
                continue
            span = span_of(self.source, place, place)
            if found.shell is not None and found.shell.text is not None:
                snippet = Snippet(self.source.path, self.source.lines, found.shell.text, [], span)
                self.follow(snippet, scope)
            elif found.command is not None:
                for name, value, _ in found.given:
                    made = Assignment(name, value, span)
                    self.settings.set(made)
                    inner[name] = made
                self.settings.start(scope.reached(found.command), span, inner, found.words)

    def words(self, node: Node | None) -> list[Word]:
        """The words of a command, given as a list or as one text."""
        if node is not None and node.id == "sequence":
            found = [one.value for one in items(node) if is_scalar(one)]
        elif is_scalar(node) and not is_null(node):
            try:
                found = shlex.split(node.value)
            except ValueError:
                found = []
        else:
            found = []
        return [Word(None if "$" in text.replace("$$", "") else text.replace("$$", "$"), text, 0, 0) for text in found]

    # ------------------------------------------------------------ all

    def variables(self, node: Node | None, *, dollars: bool = False) -> Variables:
        """The variables of a mapping, or of a list of `NAME=value`. `dollars`: `$$` stands for one."""
        found: Variables = {}
        if is_mapping(node):
            for name, (key, value) in entries(node).items():
                # GitLab: {value: …, description: …}
                meant = child(value, "value") or value
                if is_scalar(meant) and NAME.fullmatch(name) and not (dollars and is_null(meant)):
                    text = "" if is_null(meant) else _plain(meant.value, dollars)
                    found[name] = Assignment(name, text, span_of(self.source, key, meant))
        else:
            for item in items(node):
                name, equals, text = item.value.partition("=") if is_scalar(item) else ("", "", "")
                if equals and NAME.fullmatch(name):
                    found[name] = Assignment(name, _plain(text, dollars), span_of(self.source, item, item))
        for made in found.values():
            self.settings.set(made)
        return found

    def script(self, texts: Iterable[Node], around: Variables, folder: str = "", *, ends: bool = False) -> None:
        """Commands that one shell runs, in a folder of the repository; `ends`: each text has one of its own."""
        place = posixpath.normpath(folder)
        names = {name: made.value for name, made in around.items()}
        scope = Scope(names, dict(around), "" if place == "." else place)
        for node in texts:
            if is_scalar(node):
                # Put in before the shell sees it: some value, of unknown length.
                text = _EXPRESSION.sub(lambda m: "${" + "_" * (len(m[0]) - 3) + "}", node.value)
                snippet = snippet_of(self.source, node)
                snippet.text = text
                scope = self.follow(snippet, scope, ends=ends)

    def follow(self, snippet: Snippet, scope: Scope, *, ends: bool = False) -> Scope:
        try:
            return read_shell(snippet, self.settings, scope, ends=ends)
        except SourceProblem:
            # Templates make what is no shell yet.
            return scope


def _plain(text: str, dollars: bool) -> str | None:
    """A value as it is written; None where something is put into it first."""
    if dollars:
        return None if "$" in text.replace("$$", "") else text.replace("$$", "$")
    return None if "$" in text else text
