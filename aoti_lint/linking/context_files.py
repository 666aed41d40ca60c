"""Which files beside the reported ones are read: those that may answer what the reported ones leave open."""

from __future__ import annotations

from collections.abc import Collection

from aoti_lint.linking.artefacts import packages_of
from aoti_lint.linking.natives import exported, may_be_fake
from aoti_lint.machine.facts import Facts
from aoti_lint.models.modules.weights.weight_names import Checkpoint
from aoti_lint.models.ops.ops import op_key
from aoti_lint.source.ties.neighbours import distance
from aoti_lint.values.choices import leaves
from aoti_lint.values.events.ops import OpDefinition, OpImpl
from aoti_lint.values.events.packages import CallEvent, FileEvent, LoadEvent, WeightsGiven
from aoti_lint.values.op_schemas import API
from aoti_lint.values.torch_values import Loaded, LoadedProgram, ProgramModule
from aoti_lint.values.values import NONE, TRUE, Value

MAX_CONTEXT = 60
"""Files beside the reported ones that are interpreted for what the reported ones leave open."""
FAKES = ("register_fake", "impl_abstract", '"Meta"', "'Meta'", "direct_register_custom_op")
"""What a script holds that gives an op of C++ its fake."""
SAVES = ("torch.save", "save_file")
"""What writes a checkpoint."""
WRITERS = ("aoti_compile_and_package", "aot_compile", "package_aoti", "export.save", "torch.export")


def wanted(facts: Facts) -> tuple[list[str], int]:
    """The other files of the project that may answer what the reported ones leave open, the nearest first.

    And how many are left out, as there are too many. Open are ops without a fake, and artefacts and checkpoints that
    are loaded and that no reported file writes.
    """
    served = {op_key(e.op) for e in facts.of(OpImpl) if may_be_fake(e)}
    named = {*facts.project.all_natives}
    called = set(exported(facts))
    words: set[str] = set()
    spaces: set[str] = set()
    for event in facts.of(OpDefinition):
        name, native = op_key(event.op), event.api == API
        known = name not in served and "?" not in name and "::" in name
        if known and (not native or event.span.path in named or name in called):
            namespace, word = name.split("::", 1)
            (spaces if native else words).add(word)
            # The name of the op may be put together where its fake is registered.
            spaces.update((f"{namespace}::", f'"{namespace}"', f"'{namespace}'"))
    loads = any(
        isinstance(e.loaded, Loaded) and not packages_of(facts, e.loaded, e) for e in facts.of(LoadEvent)
    ) or any(isinstance(leaf, LoadedProgram) for e in facts.of(CallEvent) for leaf in behind(e.target))
    project = facts.project
    checkpoints = _checkpoints(facts)
    if not spaces and not loads and not checkpoints:
        return [], 0
    asked = [*project.analysed, *project.all_natives]
    spoken_for = project.copied.union(project.analysed)
    # A file may tell more where it holds one of the texts of each set in a row.
    rows: list[list[Collection[str]]] = [[words], [WRITERS if loads else ()], [SAVES, checkpoints], [FAKES, spaces]]
    telling = [[sorted(texts) for texts in row] for row in rows if all(row)]
    found: list[tuple[int, str]] = []
    for path in project.context():
        if not path.endswith(".py") or path in spoken_for:
            continue
        if any(all(project.holds(path, *texts) for texts in row) for row in telling):
            found.append((min((distance(path, other) for other in asked), default=0), path))
    return [path for _, path in sorted(found)[:MAX_CONTEXT]], max(0, len(found) - MAX_CONTEXT)


def _checkpoints(facts: Facts) -> set[str]:
    """The names of the checkpoints that are loaded, and which nothing writes that is known."""
    given = {e.given.file for e in facts.of(WeightsGiven) if isinstance(e.given, Checkpoint)}
    given |= {e.file for e in facts.of(FileEvent) if e.api == "torch.load" and e.weights_only in (NONE, TRUE)}
    written = {e.file.key[-1] for e in facts.of(FileEvent) if e.api.endswith(SAVES) and e.file.key}
    return {name for file in given for name in file.key[-1:] if isinstance(name, str) and name not in written}


def behind(target: Value) -> list[Value]:
    """What a called module or loaded model was made of."""
    inner = (
        target.program if isinstance(target, ProgramModule) else target.package if isinstance(target, Loaded) else None
    )
    return [] if inner is None else [leaf for _, leaf in leaves(inner)]
