"""The page of a rule for reports that carry it: plain, and as markdown."""

from __future__ import annotations

from functools import cache

from aoti_lint.catalogue.markdown import code, fenced
from aoti_lint.catalogue.registry import Registry, load
from aoti_lint.catalogue.rule_docs import Example, RuleDoc, read
from aoti_lint.lazily.regex import regex
from aoti_lint.report.check.about import About

_SENTENCE = regex(r"(?<=\.)\s+(?=[A-Z`])")


def about(rule_code: str) -> About | None:
    """What there is to say of a rule; None for one that is not installed here."""
    registry = _registry()
    if rule_code not in registry.names:
        return None
    rule = registry.rule(rule_code)
    doc = read(type(rule).__doc__ or "")
    summary = " ".join(doc.summary.split())
    parts = type(rule).__module__.split(".")
    return About(
        first=_SENTENCE.split(summary, maxsplit=1)[0],
        summary=summary,
        text="\n\n".join([doc.summary, *(f"{name}:\n{text}" for name, text in doc.prose.items())]),
        markdown=_markdown(doc),
        severity=rule.severity.value,
        family=parts[2] if parts[:2] == ["aoti_lint", "rules"] else parts[0],
        outcome=rule.outcome.value,
    )


@cache
def _registry() -> Registry:
    return load()


def _markdown(doc: RuleDoc) -> str:
    parts = [doc.summary]
    parts += [f"### {name}\n\n{text}" for name, text in doc.prose.items() if name in ("What happens", "Why")]
    for name, examples in (("Bad", doc.bad), ("Good", doc.good)):
        parts += [f"### {name}", *map(_shown, examples)]
    parts += [f"### {name}\n\n{text}" for name, text in doc.prose.items() if name not in ("What happens", "Why")]
    return "\n\n".join(parts)


def _shown(example: Example) -> str:
    several = len(example.files) > 1
    blocks = []
    for name, text in example.files.items():
        block = "\n".join(fenced(text, "python" if name.endswith(".py") else ""))
        blocks.append(f"{code(name)}:\n\n{block}" if several else block)
    return "\n\n".join(blocks)
