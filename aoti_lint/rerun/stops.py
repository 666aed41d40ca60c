"""The stages in which another program, or an assert, stops at a place: what is there is held against what is known."""

from __future__ import annotations

import re
from linecache import getline

from aoti_lint.rerun.evidence import Evidence
from aoti_lint.rerun.reading import Reading, blamed_in, placed
from aoti_lint.rerun.result import Culprit, Place
from aoti_lint.rerun.stacks import blamed, described
from aoti_lint.rerun.usual import usual

_SANITIZER = re.compile(r"(?P<what>Invalid __\w+__ (?:read|write) of size \d+ bytes|Misaligned \w+)")
_ASSERTED = re.compile(
    r"At least one (?P<what>NaN|INF) in (?P<buffer>\w+)|assert not (?P<argument>\w+)\.(?P<python>isnan|isinf)\("
)
"""What a package says, and what code of torch.compile does (2.13)."""
_AT = re.compile(r"\bat (?:0x[0-9a-f]+ in )?(?:[\w:<>, ]+ )?(?P<kernel>[A-Za-z_]\w*)(?:\(|\+0x)")


def debugger(reading: Reading, seen: Evidence, symptom: str) -> list[str]:
    """Whose code the stack of gdb ends in."""
    if seen.step.phase == "tool":
        return []
    blame = blamed(seen.lines)
    if blame is None:
        return usual(reading, seen, symptom)
    where = described(blame)
    if blame.after or blame.kind == "wrapper":
        what = "memory that was overwritten before" if blame.after else "the package itself"
        return [f"it died in {where}, of {what}: no kernel or operator is named by its stack"]
    frame = blame.frame
    spot = Place(path=frame.path, line=frame.line, function=frame.function) if frame.line else None
    if blame.kind == "library":
        ops = [one for one in reading.program.launches if one.kind == "op"]
        short = re.split(r"[<(]", blame.name)[0].rpartition("::")[2]
        same = [one for one in ops if one.name.rpartition("::")[2] == short] or (ops if len(ops) == 1 else [])
        name = same[0].name if same else short
        spot = spot and spot.model_copy(update={"text": getline(spot.path, spot.line).strip()})
        culprit = Culprit(kind="op", name=name, what=f"it died in {where}", sure=True, place=spot)
    else:
        launch = next(iter(reading.program.named(blame.name)), None)
        culprit = Culprit(kind="kernel", name=blame.name, what=f"it died in {where}", sure=True, launch=launch)
    return blamed_in(reading, [culprit], "")


def nan_asserts(reading: Reading, seen: Evidence, symptom: str) -> list[str]:
    """The buffer that an assert stopped at, held against the values that were printed of it."""
    found = next((one for line in seen.lines if (one := _ASSERTED.search(line))), None)
    if found is None:
        return usual(reading, seen, symptom)
    what, buffer = found["what"] or found["python"], found["buffer"] or found["argument"]
    what = {"isnan": "NaN", "isinf": "INF"}.get(what, what)
    written = [one for call in reading.printed for launch in call for one in launch.after if one.argument == buffer]
    if any(one.bad and (one.nan != 0 if what == "NaN" else one.inf != 0) for one in written):
        makers = [one for one in reading.program.launches if buffer in one.writes]
        name = " or ".join(dict.fromkeys(one.name for one in makers)) or "a kernel"
        sentence = f"the assert stops at {buffer}, in which {name} leaves {what}"
        if len(makers) != 1:
            return [sentence]
        return blamed_in(reading, [Culprit(kind="kernel", name=name, what=sentence, sure=False, launch=makers[0])], "")
    if written:
        return [f"the assert stops at {buffer} for {what}, but no kernel left any there: memory that was not written "
                "yet, or a mask; it is not blamed"]  # fmt: skip
    return [f"the assert stops at {buffer} for {what}, of which no values were printed: it may be memory that was not "
            "written yet, or a mask of -inf; it is not blamed"]  # fmt: skip


def sanitizer(reading: Reading, seen: Evidence, symptom: str) -> list[str]:
    """The kernel that compute-sanitizer names."""
    for number, line in enumerate(seen.lines):
        if what := _SANITIZER.search(line):
            near = " ".join(seen.lines[number : number + 3])
            kernel = _AT.search(near)
            if kernel is not None:
                name = kernel["kernel"]
                launch = next(iter(reading.program.named(name)), None)
                words = f"compute-sanitizer: {what['what']}"
                culprit = Culprit(kind="kernel", name=name, what=words, sure=True, launch=launch)
                reading.blame(placed(culprit, reading))
                return [f"kernel {name}: {what['what']}"]
    return usual(reading, seen, symptom)
