"""AOTI202."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import (
    MINORS,
    Applicability,
    Confidence,
    Diagnostic,
    Edit,
    Facts,
    Fix,
    Outcome,
    Rule,
    Span,
    VersionSet,
    dataclass,
    weaker,
)
from aoti_lint.rule.events import ApiUse
from aoti_lint.rule.torch import api


class MissingApi(Rule):
    """The code uses a torch name that the target torch does not have.

    What happens:
        Reading the name raises, and importing it raises when the file is imported:

            AttributeError: module 'torch._inductor' has no attribute 'aot_load'
            ImportError: cannot import name 'export_for_training' from 'torch.export' (…/torch/export/__init__.py)
            ModuleNotFoundError: No module named 'torch.ao.quantization.quantize_pt2e'

        In a serving script that is often after the long compile whose result it was to load.

    Why:
        The names around export and AOTInductor came, moved and went from release to release, and tutorials and answers
        for one release are read in another. Some names that are easily guessed never existed.

        It is an error when all target versions lack the name, and a warning that names the versions when some do.
        Where nobody says which torch the code is for, only names that the newest release lacks are reported by default.
        There a name that a private module, or one that torch removed, has in no release is a warning. Of names that
        torch removed up to 2.4 those of private modules are hidden, because the code is for that older torch, also
        where only an environment says which torch that is; the others are warnings.
        A name that is asked for first (`hasattr`, a version test) or whose absence is handled (`try`) is not reported,
        nor is anything in a tree that holds the sources of torch.

    Bad:
        import torch
        from torch.export import export_for_training  # <- AOTI202

        program = export_for_training(torch.nn.Linear(2, 2), (torch.randn(1, 2),))
        model = torch._inductor.aot_load("model.so", "cpu")  # <- AOTI202

    Good:
        import torch

        program = torch.export.export(torch.nn.Linear(2, 2), (torch.randn(1, 2),))
        model = torch._inductor.aoti_load_package("model.pt2")

    Good:
        import torch

        try:
            from torch.export import export_for_training
        except ImportError:
            from torch.export import export as export_for_training

        if hasattr(torch.export, "draft_export"):
            torch.export.draft_export(torch.nn.Linear(2, 2), (torch.randn(1, 2),))

    How to debug:
        `python -c "import torch; print(torch.__version__)"` says which torch runs, the summary of aoti-lint which
        versions it judged for and who named them. `--torch-version 2.13` judges for one version, `2.8..2.13` for some.

    Sources:
        The Python sources of the releases 2.4.1 to 2.15.0, and the names of 1.11.0
        to 2.3.1. The messages are of torch 2.13.0, the first and second also of 2.4.1 and 2.15.0.
        https://docs.pytorch.org/docs/stable/export.html
    """

    code = "AOTI202"
    name = "missing-api"
    of_releases = True
    doubt = "nothing says that it runs with a torch that lacks it"

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        for uses in _by_file(facts):
            for use in uses:
                if not any(other.tells(use) for other in uses if other is not use):
                    yield self._diagnostic(facts, use)

    def _diagnostic(self, facts: Facts, use: _Use) -> Diagnostic:
        event, failing = use.event, use.failing
        part = api.missing_part(event.name, failing)
        return self.found(
            facts,
            event,
            self._confidence(facts, use),
            _message(part, failing),
            failing=failing,
            outcome=Outcome.RAISES_AT_IMPORT if event.how == "import" else Outcome.RAISES,
            label="not there" if failing == facts.versions_for(event.root) else f"not in torch {_span(failing)}",
            help=_help(event.name, part, event.versions),
            fix=_fix(facts, event),
        )

    def _confidence(self, facts: Facts, use: _Use) -> Confidence:
        """What a private module has changes with each release: the one that the code is for may be an older one.

        Names that people guess and that never were there have advice of their own.
        """
        name, root = use.event.name, use.event.root
        part = api.missing_part(name, use.failing)
        earlier = api.removed_earlier(part)
        private = any(part.startswith("_") for part in name.split(".")) and api.judgement(name) is None
        if private and earlier and not facts.named_for(root):
            return weaker(use.confidence, Confidence.POSSIBLE)
        old = private or earlier or _is_gone(part.rpartition(".")[0])
        if facts.stated_for(root) or api.presence(name) or not old:
            return use.confidence
        return weaker(use.confidence, Confidence.LIKELY)


def _is_gone(module: str) -> bool:
    """Whether some release has a module and the newest has not: who uses it means an older torch."""
    there = api.presence(module)
    return there is not None and bool(there) and MINORS[-1] not in there


@dataclass(slots=True)
class _Use:
    """One place that uses a name, with the versions in which that fails, over all ways that lead there.

    `sure` is whether one of these ways depends on nothing unknown, such as a helper that may ask for the version;
    `asked` whether each depends on an answer that is not known to a question for a version.
    """

    event: ApiUse
    failing: VersionSet
    sure: bool = False
    asked: bool = True

    @property
    def confidence(self) -> Confidence:
        """Behind an unknown condition a name that some version has is probably asked for there."""
        if self.sure:
            return Confidence.CERTAIN
        return Confidence.LIKELY if self.event.versions <= self.failing and not self.asked else Confidence.POSSIBLE

    def tells(self, other: _Use) -> bool:
        """Whether reporting this makes `other`, in the same file, needless: this is its import, or an earlier part."""
        mine, its = self.event, other.event
        if not other.failing <= self.failing:
            return False
        if its.name == mine.name:
            return mine.how == "import" != its.how and api.is_module(mine.name)
        if not its.name.startswith(f"{mine.name}."):
            return False
        inside = its.span.start <= mine.span.start and mine.span.end <= its.span.end
        return mine.how == "import" or inside


def _by_file(facts: Facts) -> list[list[_Use]]:
    uses: dict[tuple[Span, str], _Use] = {}
    for event in facts.of(ApiUse):
        there = api.presence(event.name)
        if event.guarded or there is None or event.versions <= there:
            continue
        use = uses.setdefault((event.span, event.name), _Use(event, event.versions - there))
        use.failing |= event.versions - there
        unknown = [condition for condition in event.path if condition.kind == "unknown"]
        use.sure |= not unknown
        use.asked &= any("version" in f"{one.key} {one.text}".lower() for one in unknown)
    files: dict[str, list[_Use]] = {}
    for use in uses.values():
        files.setdefault(use.event.span.path, []).append(use)
    return list(files.values())


def _message(name: str, failing: VersionSet) -> str:
    there = api.presence(name)
    earlier = api.removed_earlier(name)
    if not there and earlier:
        return f"`{name}` was removed in torch {earlier}"
    if not there:
        return f"no torch from {MINORS[0]} to {MINORS[-1]} has `{name}`"
    later = VersionSet.since(there.last) - there
    if failing <= later:
        return f"`{name}` was removed in torch {later.first}"
    if failing <= VersionSet.between(MINORS[0], there.first):
        return f"`{name}` is new in torch {there.first}"
    return f"`{name}` exists only in torch {_span(there)}"


def _help(name: str, part: str, versions: VersionSet) -> str:
    judged = api.judgement(name) or api.judgement(part)
    if judged is not None:
        return judged.advice
    there = api.presence(part)
    if there:
        if there.last == MINORS[-1]:
            return f"require torch>={there.first}, or ask `hasattr` before"
        module, _, last = part.rpartition(".")
        public = api.presence(f"{module}.{last.lstrip('_')}") if last.startswith("_") else None
        return f"there is `{module}.{last.lstrip('_')}`" if public and versions.last in public else ""
    newest = VersionSet([versions.last])
    places = api.elsewhere(part, newest)
    if places:
        return f"there is `{places[0]}`"
    alike = api.near(part, newest)
    return f"did you mean `{alike[0]}`?" if alike else ""


def _span(versions: VersionSet) -> str:
    """The versions in ASCII, because a message also goes to files and terminals without a dash."""
    return str(versions).replace("\N{EN DASH}", "-")


def _fix(facts: Facts, event: ApiUse) -> Fix | None:
    """The change of the name alone, where its replacement takes the same arguments and is there in all versions."""
    judged = api.judgement(event.name)
    if judged is None or not judged.rename or judged.replacement is None:
        return None
    new = judged.replacement
    there = api.presence(new)
    source = facts.project.source(event.span.path)
    if there is None or not event.versions <= there or source is None:
        return None
    written = source.text.encode()[event.span.start : event.span.end].decode()
    edit = _renamed(written, event.name, new, event.how)
    if edit is None:
        return None
    same = judged.same_since is not None and event.versions <= VersionSet.since(judged.same_since)
    applicability = Applicability.SAFE if same else Applicability.UNSAFE
    return Fix(f"use `{new}`", applicability, (Edit(event.span, edit),))


def _renamed(written: str, old: str, new: str, how: str) -> str | None:
    """The code `written` for `old`, changed to mean `new`; None when the text does not show how."""
    (old_module, _, old_name), (new_module, _, new_name) = old.rpartition("."), new.rpartition(".")
    if how == "import":
        name, _, alias = written.partition(" as ")
        known_as = alias.strip() or old_name
        return f"{new_name} as {known_as}" if name.strip() == old_name and old_module == new_module else None
    if written == old:
        return new
    if old_module == new_module and written.endswith(f".{old_name}"):
        return written.removesuffix(old_name) + new_name
    return None
