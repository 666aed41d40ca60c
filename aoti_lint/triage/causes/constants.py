"""Weights of packages."""

from __future__ import annotations

from aoti_lint.triage.cause import Cause

CAUSES: tuple[Cause, ...] = (
    Cause(
        name="constant-not-found",
        title="load_constants was given a name that the package does not have",
        patterns=(r"Constant not found: (\S+)", r"Cannot find constants (\S+) in constants_map"),
        why="Tied weights are in the package under one of their names; a compiled module adds _orig_mod.; or the "
        "file is "
        "of another model.",
        fix="Keep the names of run.get_constant_fqns(); `aoti-lint contract model.pt2 --weights FILE` lists what "
        "differs.",
        rules=("AOTI218", "AOTI708"),
        symptom="load-error",
    ),
    Cause(
        name="constant-not-given",
        title="load_constants was not given all weights of the package",
        patterns=(r"Found constant or module state buffer .* but not provided by user",),
        why="What is missing keeps the value it had, or has none.",
        fix="Give all of them: run.load_constants(weights, check_full_update=True).",
        rules=("AOTI613",),
        symptom="wrong-result",
    ),
    Cause(
        name="constant-on-other-device",
        title="weights given to a package are on another device than the package",
        patterns=(r"is on device type \d+ but expected device type \d+",),
        why="load_constants does not move them.",
        fix="Move them first: {name: w.to(device) for name, w in weights.items()}.",
        rules=("AOTI101",),
        symptom="device-mismatch",
        source="pytorch#180446",
    ),
)
