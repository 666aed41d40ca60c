"""The stages in which another program, or an assert, stops at a place: what is there is held against what is known."""

from __future__ import annotations

import re
from collections.abc import Sequence

from aoti_lint.rerun.judge.common_causes import usual
from aoti_lint.rerun.judge.generated_code import defined
from aoti_lint.rerun.judge.reading import Reading, blamed_in
from aoti_lint.rerun.named_files import line_at
from aoti_lint.rerun.read.evidence import Evidence
from aoti_lint.rerun.read.gdb_stack import blamed, described, is_users
from aoti_lint.rerun.result import Culprit, Place

_SANITIZER = re.compile(r"(?P<what>Invalid __\w+__ (?:read|write) of size \d+ bytes|Misaligned \w+)")
_ASSERTED = re.compile(
    r"At least one (?P<what>NaN|INF) in (?P<buffer>\w+)|assert not (?P<argument>\w+)\.(?P<python>isnan|isinf)\("
)
"""What a package says, and what code of torch.compile does (2.13)."""
_BEYOND = re.compile(r"is (?P<where>[\d,]+ bytes (?:before|after) the nearest allocation at \w+ of size [\d,]+ bytes)")
_HOST = re.compile(r"Host Frame:\s*(?P<function>.*?)\s*(?:in \S+:\d+ )?\[0x[0-9a-f]+\] in (?P<library>\S+)")
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
        spot = spot and spot.model_copy(update={"text": line_at(spot.path, spot.line)})
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
    """The kernel that compute-sanitizer names, or the operator that launched it."""
    for number, line in enumerate(seen.lines):
        what = _SANITIZER.search(line)
        kernel = _AT.search(" ".join(seen.lines[number : number + 3])) if what is not None else None
        if what is None or kernel is None:
            continue
        whole = _report(seen.lines[number:])
        beyond = next((found for one in whole if (found := _BEYOND.search(one))), None)
        words = what["what"] + (f", {beyond['where']}" if beyond is not None else "")
        name = kernel["kernel"]
        known = [one for one in reading.program.launches if one.kind != "op" and re.sub(r"_\d+$", "", one.name) == name]
        launch = next(iter([*reading.program.named(name), *known]), None)
        op = _launcher(whole, reading) if launch is None else None
        if op is not None:
            culprit = Culprit(kind="op", name=op, what=f"compute-sanitizer: {words}, in its kernel {name}", sure=True)
        else:
            name = launch.name if launch is not None else name
            place = defined(name, seen.found.sources) if launch is None else None
            culprit = Culprit(
                kind="kernel", name=name, what=f"compute-sanitizer: {words}", sure=True, launch=launch, place=place
            )
        return blamed_in(reading, [culprit], "")
    return usual(reading, seen, symptom)


def _report(lines: Sequence[str]) -> list[str]:
    """The lines of the first error in what compute-sanitizer says; those of the program may lie between."""
    ours = [line for line in lines if line.startswith("=========")]
    end = next((at for at, line in enumerate(ours[1:], 1) if not line.strip("= ") or _SANITIZER.search(line)), None)
    return ours[:end]


def _launcher(report: Sequence[str], reading: Reading) -> str | None:
    """The operator whose C++ launched a kernel: by the stack of the host, or as there is no other."""
    ops = [one.name for one in reading.program.launches if one.kind == "op"]
    frames = [found for line in report if (found := _HOST.search(line))]
    functions = [re.split(r"[<(]", one["function"])[0].rpartition("::")[2].strip() for one in frames]
    named = [op for op in ops if op.rpartition("::")[2] in functions]
    own = any(is_users(one["library"]) for one in frames)
    return next(iter(named), None) or (ops[0] if own and len(set(ops)) == 1 else None)
