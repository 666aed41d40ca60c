"""`aoti-lint explain`: the documentation of rules, of the names in debugging guides, and of messages of torch."""

from __future__ import annotations

import inspect
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from aoti_lint.catalogue.registry import Registry, load
from aoti_lint.catalogue.rule_docs import SECTIONS
from aoti_lint.cli.shared.parser import Parser
from aoti_lint.errors import CannotRun
from aoti_lint.quoting.shell import word as shell_word
from aoti_lint.report.check.told import UNREAD
from aoti_lint.report.output import Output
from aoti_lint.rule import Rule

if TYPE_CHECKING:
    from argparse import Namespace
    from typing import TypeAlias

    from aoti_lint.cli.explain.own_settings import Setting
    from aoti_lint.report.styled import Line
    from aoti_lint.torch_api.guide.row import Row
    from aoti_lint.torch_api.messages import Message
    from aoti_lint.triage.cause import Cause

    Found: TypeAlias = Rule | Row | Message | Cause | Setting


def run(words: list[str]) -> int:
    """Print the pages of what is asked for, or the list of all rules."""
    arguments = parser().parse_args(words)
    registry = load()
    found = {word: _find(word, registry) for word in arguments.names}
    with Output(None, fits=True) as output:
        if arguments.output_format != "text":
            every = dict.fromkeys(one for several in found.values() for one in several)
            _for_programs(list(every) or list(registry), arguments, output)
        elif not found:
            output.styled(_table(registry))
        else:
            for number, part in enumerate(_parts(found)):
                output.styled([*[[]][: bool(number)], *part])
    return 0


def parser() -> Parser:
    """The parser of this command."""
    made = Parser(
        prog="aoti-lint explain",
        description="Say what a rule finds, why, and what to do; or what a variable, setting, log name, function or "
        "file of torch is for, and when it counts; or which rules find the cause of a message of torch's; or what a "
        "setting of aoti-lint's configuration is for.",
    )
    made.add_argument(
        "names",
        nargs="*",
        metavar="NAME",
        help="a rule's code or name, or 'all'; the beginning of codes, such as AOTI3, for a line each; a name such as "
        "TORCH_LOGS; a setting of the configuration; or a message, in quotes; none lists the rules",
    )
    made.add_argument("--output-format", choices=("text", "json", "md"), default="text", help="default: text")
    return made


def _parts(found: Mapping[str, Sequence[Found]]) -> Iterator[Iterable[Line]]:
    """What is said of each word: a page of what it means, each once; a table where it is the beginning of codes."""
    told: set[Found] = set()
    for word, several in found.items():
        rules = [one for one in several if isinstance(one, Rule)]
        if word.upper() != "ALL" and len(rules) > 1 and all(one.code.startswith(word.upper()) for one in rules):
            yield [*_table(rules), [], [(f"More about one of them: aoti-lint explain {rules[0].code}", "")]]
            continue
        yield from (_page(one) for one in several if one not in told)
        told.update(several)


def _for_programs(found: Sequence[Found], arguments: Namespace, output: Output) -> None:
    from aoti_lint.cli.explain.entries import document, entry

    entries = [entry(one, "" if isinstance(one, Rule) else _reruns(getattr(one, "name", ""))) for one in found]
    if arguments.output_format == "json":
        from aoti_lint.quoting.json import document as written

        output.document(written(document(entries)))
        return
    from aoti_lint.cli.explain.markdown import page, table

    pages = [page(one) for one in entries] if arguments.names else [table(entries)]
    for number, lines in enumerate(pages):
        for line in (*[""][:number], *lines):
            output.line(line)


def _find(word: str, registry: Registry) -> Sequence[Found]:
    """What a word means: rules before names of torch, own settings, messages. Raises `CannotRun` if it is nothing."""
    try:
        return registry.find(word)
    except CannotRun:
        from aoti_lint.torch_api.guide.lookup import find, known
        from aoti_lint.torch_api.guide.recorded import INDUCTOR, recorded
        from aoti_lint.torch_api.settings import all_keys, variable_names

        rows = find(word) or recorded(word)
        if rows:
            return rows
        from aoti_lint.cli.explain import own_settings

        if own := own_settings.find(word):
            return own
        from aoti_lint.torch_api.messages import said
        from aoti_lint.triage.causes import CAUSES
        from aoti_lint.triage.diagnose import diagnose

        messages = said(word)
        if messages:
            codes = dict.fromkeys(code for message in messages for code in message.rules)
            return [*messages, *(registry.rule(code) for code in codes)]
        causes = [one for one in CAUSES if one.name == word]
        if not causes:
            log = diagnose([word])
            causes = [one.cause for one in (*log.causes, *log.notes)] or [one for one in CAUSES if one.may_say(word)]
        if causes:
            codes = dict.fromkeys(code for cause in causes for code in cause.rules)
            return [*causes, *(registry.rule(code) for code in codes)]
        if os.path.lexists(word):
            raise CannotRun(
                f"{word}: explain takes the name of a rule or of torch, or a message; aoti-lint {shell_word(word)} "
                "checks this file or folder"
            ) from None
        ours = [one.name for one in own_settings.settings()]
        near = registry.near(word, [*known(), *ours, *variable_names(), *all_keys(INDUCTOR)])
        raise CannotRun(f"there is no rule and no known name of torch {word!r}{near}") from None


def _table(rules: Iterable[Rule]) -> Iterator[Line]:
    for rule in rules:
        first = (inspect.getdoc(type(rule)) or "").partition("\n")[0]
        yield [(f"{rule.code}  ", "message"), (f"{rule.name:<36}  ", "name"), (first, "")]


def _reruns(name: str) -> str:
    """Where `aoti-lint rerun` uses a name of torch's."""
    from aoti_lint.rerun.plan.flag_uses import uses

    stages = [f"{stage} ({', '.join(symptoms)})" for stage, symptoms in uses(name).items()]
    return f"`aoti-lint rerun`, in its stages {'; '.join(stages)}" if stages else ""


def _page(found: Found) -> Iterator[Line]:
    if not isinstance(found, Rule):
        from aoti_lint.cli.explain.own_settings import Setting
        from aoti_lint.report.commands.name_page import page, setting_page
        from aoti_lint.torch_api.messages import Message, versions
        from aoti_lint.triage.cause import Cause
        from aoti_lint.triage.report import unseen, wrapped

        if isinstance(found, Cause):
            yield [(found.title, "message"), (f" (cause {found.name} of `aoti-lint triage`)", "")]
            yield from wrapped("why", found.why)
            yield from wrapped("do", found.fix)
            yield from wrapped("rule", unseen(found))
        elif isinstance(found, Message):
            yield [(found.text.strip(), "message"), (f" is a message of torch {versions(found)}; its cause:", "")]
        elif isinstance(found, Setting):
            yield from setting_page(found.name, found.does, found.where, found.option)
        else:
            yield from page(found, _reruns(found.name))
        return
    severity = found.severity.value
    yield [(f"{found.code} {found.name}", "message"), (f" ({severity}; {found.outcome.value})", "")]
    yield []
    for line in (inspect.getdoc(type(found)) or "").splitlines():
        heading = line.endswith(":") and line[:-1] in SECTIONS
        yield [(line, "name" if heading else "")]
    if found.code != UNREAD:
        yield []
        yield [(f"To accept a finding: # aoti-lint: ignore[{found.code}]", "")]
