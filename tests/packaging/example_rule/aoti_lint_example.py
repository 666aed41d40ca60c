from collections.abc import Iterator

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Rule, Severity
from aoti_lint.rule.events import LoadEvent


class LoadOutsideServing(Rule):
    """A compiled package is loaded outside of `serving/`.

    What happens:
        It works, but the request log never sees the model.
    """

    code = "EX101"
    name = "load-outside-serving"
    severity = Severity.WARNING
    outcome = Outcome.STYLE

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        for event in facts.of(LoadEvent):
            if not event.span.path.startswith("serving/"):
                yield Diagnostic(
                    code=self.code, name=self.name, severity=self.severity, outcome=self.outcome,
                    confidence=Confidence.CERTAIN, message="a package is loaded outside of serving/", span=event.span,
                    label="loaded here", help="call serving.load(path)", qualified_name=event.context,
                )  # fmt: skip
