"""What there is to say of a rule, beside what its findings say."""

from __future__ import annotations


class About:
    """A rule, for readers of a report that do not have it.

    `first` is its first sentence, `summary` all that it finds; `text` and `markdown` are its page, the latter with its
    examples. `severity` is that of a finding that is certain.
    """

    __slots__ = ("family", "first", "markdown", "outcome", "severity", "summary", "text")

    def __init__(
        self, *, first: str, summary: str, text: str, markdown: str, severity: str, family: str, outcome: str
    ) -> None:
        self.first, self.summary, self.text, self.markdown = first, summary, text, markdown
        self.severity, self.family, self.outcome = severity, family, outcome
