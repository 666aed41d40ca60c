"""AOTI613."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Related, Rule
from aoti_lint.rule.events import CallEvent, LoadEvent
from aoti_lint.rule.links import capped, loaded_archive
from aoti_lint.rule.values import Loaded

from ._imports import reach

LOADS = r"load_constants|load_state_dict|update_\w*constant|swap_constant|user_managed|set_constant"
"""What a file says that gives a package its weights in some way."""


class WeightsNeverLoaded(Rule):
    """A package without its weights is called, and nothing gives it any.

    What happens:
        The process ends with a segmentation fault at the first call, without a message.

    Why:
        Compiled with `aot_inductor.package_constants_in_so=False` the weights are not in the package. Whoever loads it
        must hand them over with `load_constants`.

    Bad:
        # archive: weights_outside.pt2
        # file: serve.py
        import torch

        run = torch._inductor.aoti_load_package("weights_outside.pt2")  # <- AOTI613
        run(torch.ones(4, 8))

    Good:
        # archive: weights_outside.pt2
        # file: serve.py
        import torch

        run = torch._inductor.aoti_load_package("weights_outside.pt2")
        run.load_constants(torch.load("weights.pt"), check_full_update=True)
        run(torch.ones(4, 8))

    How to debug:
        `run.get_constant_fqns()` lists what it wants. Compile with
        `aot_inductor.package_constants_on_disk_format="binary_blob"` to have them in the archive.

    Sources:
        Run on torch 2.13 (this project's tests): exit code -11.
        https://docs.pytorch.org/docs/stable/torch.compiler_aot_inductor.html
    """

    code = "AOTI613"
    name = "weights-never-loaded"
    outcome = Outcome.CRASH

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        if not facts.archives:
            return
        called = {e.target.ident: e for e in facts.of(CallEvent) if isinstance(e.target, Loaded)}
        for event in facts.of(LoadEvent):
            loaded = event.loaded
            link = loaded_archive(facts, event, loaded) if isinstance(loaded, Loaded) else None
            packages = link.archive.data.packages if link is not None else ()
            if link is None or not packages or any(package.weights_at != "outside" for package in packages):
                continue
            paths = {event.root.split("::")[0], event.span.path}
            if any(reach(facts, path).mentions(LOADS) for path in paths):
                continue
            call = called.get(loaded.ident) if isinstance(loaded, Loaded) else None
            yield self.found(
                facts,
                event,
                capped(link, Confidence.CERTAIN if call is not None else Confidence.LIKELY),
                f"the weights are not in {link.archive.path}, and nothing here loads them: the first call crashes",
                label="loaded here, without weights",
                related=(Related(call.span, "called here"),) if call is not None else (),
                notes=link.notes,
                help="call load_constants(state_dict, check_full_update=True) before the first call",
                symptom="segfault",
            )
