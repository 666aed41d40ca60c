"""Debugging variables and settings that torch does not take, and what they print."""

from __future__ import annotations

from aoti_lint.triage.cause import VALUES, Cause, Level, innermost

CAUSES: tuple[Cause, ...] = (
    Cause(
        name="torch-logs",
        title="TORCH_LOGS has a name that this torch does not know",
        patterns=(r"Invalid log settings: ",),
        why="An unknown name ends `import torch`.",
        fix="TORCH_LOGS=help lists the names.",
        rules=("AOTI504",),
    ),
    Cause(
        name="repro-after",
        title="TORCHDYNAMO_REPRO_AFTER has a value that is neither dynamo nor aot",
        patterns=(r"repro_after must be 'dynamo', 'aot', or None",),
        why="Every compile ends in this error.",
        fix="Write dynamo or aot.",
        rules=("AOTI504",),
        symptom="compile-error",
    ),
    Cause(
        name="printer-level",
        title="the debug printer has a level that it does not know",
        patterns=(r"is not a valid IntermediateValueDebuggingLevel",),
        why='It takes the texts "0" to "3"; a number is refused.',
        fix='Write "2" for values and "3" for kernel names.',
        rules=("AOTI504", "AOTI511"),
        symptom="compile-error",
    ),
    Cause(
        name="variable-not-a-number",
        title="a variable of torch that takes a number has another text",
        patterns=(),
        placed=(
            (r"invalid literal for int\(\) with base 10: '[^']*'", innermost(r"\w+[/\\]config|_inductor|_dynamo")),
        ),
        why="Many debugging variables are read as numbers when torch is imported.",
        fix="Write 0 or 1.",
        rules=("AOTI504",),
        level=Level.EFFECT,
    ),
    Cause(
        name="nan-assert",
        title="the NaN check of Inductor stopped the run",
        patterns=(
            r"At least one (?:INF|NaN) in (\S+)",
            r"assert not \w+\.is(?:nan|inf)\(\)\.any\(\)\.item\(\)",
        ),
        why="The tensor named (arg: an input, buf: a result) has such a value. The check also stops on -inf in masks "
        "and "
        "on memory that nothing has written yet, which are no faults; on the CPU it looks at inputs only.",
        fix="Look at the values with the printer before you believe it.",
        unseen=VALUES,
        rerun=("AOT_INDUCTOR_DEBUG_INTERMEDIATE_VALUE_PRINTER=2", "TORCHINDUCTOR_FORCE_DISABLE_CACHES=1"),
        symptom="nan",
        source="run on torch 2.13 (CPU) and 2.11 (H200)",
    ),
    Cause(
        name="accuracy-differs",
        title="the minifier found that compiled code gives other numbers than eager code",
        patterns=(
            r"Accuracy failed for the (?:AOT Autograd|TorchDynamo produced) graph",
            r"AccuracyError: Bad accuracy detected",
        ),
        why="It compares each graph with eager runs in higher precision (torch 2.13, _dynamo/repro/after_aot.py:391).",
        fix="Run the repro.py that it writes. Look first for a fake that differs from its kernel, for memory that "
        "nothing has written (empty), and for random numbers.",
        rules=("AOTI404",),
        symptom="wrong-result",
        level=Level.EFFECT,
        source="pytorch#156437",
    ),
    Cause(
        name="minifier-found-nothing",
        title="the minifier was run on a program that does not fail",
        patterns=(r"Input graph did not fail the tester",),
        why="It needs the failure: on this machine, with this level, the program is fine.",
        fix="AOTINDUCTOR_REPRO_LEVEL=3 is for crashes and errors at run time, 4 for wrong numbers; use the inputs that "
        "fail.",
        rules=("AOTI507",),
        level=Level.EFFECT,
        source="run on torch 2.11 (H200)",
    ),
)
