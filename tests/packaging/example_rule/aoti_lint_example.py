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
    api = 1
    severity = Severity.WARNING
    outcome = Outcome.STYLE

    def on_load(self, facts: Facts, event: LoadEvent) -> Iterator[Diagnostic]:
        if not event.span.path.startswith("serving/"):
            message, help = "a package is loaded outside of serving/", "call serving.load(path)"
            yield self.found(facts, event, Confidence.CERTAIN, message, label="loaded here", help=help)
