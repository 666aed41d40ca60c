"""AOTI349."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Related, Rule, Span, VersionSet, catches, weaker
from aoti_lint.rule.events import ApiCall, ExportEvent, Exporting
from aoti_lint.rule.values import FALSE, TRUE, Program

from ..flags._compile import mentions, once
from ..model._forward import met

_OF_DISTRIBUTIONS = "torch.distributions."
_ALWAYS = frozenset({
    "ContinuousBernoulli", "FisherSnedecor", "LKJCholesky", "Multinomial", "OneHotCategorical",
    "OneHotCategoricalStraightThrough", "RelaxedBernoulli", "RelaxedOneHotCategorical", "StudentT", "Wishart",
})  # fmt: skip
"""Those that look at their arguments, or make another that does, also with `validate_args=False`."""
_CHECKED = _ALWAYS | {
    "Bernoulli", "Beta", "Binomial", "Categorical", "Cauchy", "Chi2", "Dirichlet", "Exponential", "Gamma",
    "GeneralizedPareto", "Geometric", "Gumbel", "HalfCauchy", "HalfNormal", "InverseGamma", "Kumaraswamy", "Laplace",
    "LogNormal", "LogisticNormal", "LowRankMultivariateNormal", "MultivariateNormal", "NegativeBinomial", "Normal",
    "Pareto", "Poisson", "Uniform", "VonMises", "Weibull",
}  # fmt: skip
_UNCHECKED = ("set_default_validate_args", "torch.compile(", "@torch.compile", "_dynamo.optimize")
"""What turns the checks off for the process: `torch.compile` does (2.9.1 to 2.15.0, `torch/_dynamo/eval_frame.py`)."""
_PACK = "torch.nn.utils.rnn.pack_padded_sequence"
_UNPACK = "torch.nn.utils.rnn.pad_packed_sequence"
_SEQUENCES = frozenset({"GRU", "LSTM", "RNN"})
"""The layers that need the sizes of what is packed."""
_RAISED = ("GuardOnDataDependentSymNode", "Unsupported", "RuntimeError", "TypeError", "ValueError")
_RUN_ON = VersionSet.since("2.13")


class ValuesInForward(Rule):
    """The forward of an exported model makes a distribution that checks its arguments, or packs sequences.

    What happens:
        The export raises: `Could not guard on data-dependent expression Eq(u0, 1)` for a class of
        `torch.distributions`, `TypeError: zeros(): argument 'size' failed to unpack the object at pos 2` or `Could not
        extract specialized integer from data-dependent expression u0` behind `pack_padded_sequence`, and with
        `strict=True` `torch._dynamo.exc.Unsupported: Attempted to call function marked as skipped`.

    Why:
        A distribution asks whether its arguments fit, and raises where they do not: that is a branch on the values of
        tensors. It does so for constants, too. `validate_args=False` leaves the question out for most classes.
        `torch.compile` turns it off for the whole process. What is packed has sizes that the values of `lengths`
        decide, and the layers for sequences need them as numbers.

    Bad:
        import torch

        class Policy(torch.nn.Module):
            def forward(self, x):
                return torch.distributions.Normal(x, x.exp()).log_prob(x)  # <- AOTI349

        torch.export.export(Policy(), (torch.randn(4),))

    Bad:
        import torch
        from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

        class Encoder(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.gru = torch.nn.GRU(3, 5, batch_first=True)

            def forward(self, x, lengths):
                packed = pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)  # <- AOTI349
                return pad_packed_sequence(self.gru(packed)[0], batch_first=True)[0]

        torch.export.export(Encoder().eval(), (torch.randn(2, 4, 3), torch.tensor([4, 2])))

    Good:
        import torch

        class Policy(torch.nn.Module):
            def forward(self, x):
                return torch.distributions.Normal(x, x.exp(), validate_args=False).log_prob(x)

        torch.export.export(Policy(), (torch.randn(4),))

    How to debug:
        The last lines of the message, below `from user code:` or `User Stack`, are the place.

    Sources:
        Run on torch 2.13: 38 classes of `torch.distributions`, each with `validate_args=False` and without; twelve
        forwards with `pack_padded_sequence`; with `strict=True` and without, and `torch.onnx.export`.
        https://docs.pytorch.org/docs/stable/distributions.html
    """

    code = "AOTI349"
    name = "values-in-forward"
    outcome = Outcome.RAISES_AT_EXPORT
    onnx = True

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        told = set[Span]()
        for event in self.exports(facts):
            made = list(facts.during(event, ApiCall))
            found = next(self._raising(facts, event, made), None)
            if found is None or not once(told, found[0].span):
                continue
            call, sure = found
            packs = call.name == _PACK
            short = call.name.rpartition(".")[2]
            effect = "makes sizes of the values in lengths" if packs else "asks whether the values of its arguments fit"
            yield self.found(
                facts,
                call,
                sure,
                f"{short} {effect}, which an export does not know: it raises",
                failing=call.versions & _RUN_ON,
                label="called here",
                related=(Related(event.span, "exported here"),),
                help=_help(short, packs),
                symptom="export-error",
            )

    def _raising(self, facts: Facts, event: Exporting, made: Sequence[ApiCall]) -> Iterator[tuple[ApiCall, Confidence]]:
        """The calls that raise in an export, and how sure that is."""
        for call, sure in met(event, filter(_looks_at_values, made)):
            if call.name != _PACK:
                if not mentions(facts, event, *_UNCHECKED):
                    yield call, sure
            elif (asked := _asked_for_sizes(event, made)) is not None:
                yield call, weaker(sure, asked)


def _asked_for_sizes(event: Exporting, made: Sequence[ApiCall]) -> Confidence | None:
    """How sure it is that the sizes of what is packed are asked for, which can be read as it lies there.

    None where nothing is known to ask, and with `strict=True`, where packing itself raises (AOTI344).
    """
    if not isinstance(event, ExportEvent) or not isinstance(event.program, Program):
        return Confidence.CERTAIN
    if event.program.strict == TRUE:
        return None
    if any(one.name == _UNPACK for one in made):
        return Confidence.CERTAIN
    asks = any(layer in _SEQUENCES for _, layer in event.program.layers)
    return Confidence.LIKELY if asks else None


def _looks_at_values(call: ApiCall) -> bool:
    if not call.versions & _RUN_ON or catches(call.caught | call.expected, *_RAISED):
        return False
    owner, _, short = call.name.rpartition(".")
    if f"{owner}.".startswith(_OF_DISTRIBUTIONS) and short in _CHECKED and not call.open and FALSE not in call.args:
        said = call.kwargs.get("validate_args")
        return said in (None, TRUE) or (said == FALSE and short in _ALWAYS)
    return call.name == _PACK


def _help(short: str, packs: bool) -> str:
    if packs:
        return "run the layer on the padded sequences, and mask what lies behind each length"
    if short in _ALWAYS:
        return "write out the formula that is needed of it"
    return f"write {short}(…, validate_args=False)"
