"""What `dynamic_shapes` asks for, and what the model allows."""

from __future__ import annotations

from aoti_lint.triage.cause import Cause, Level, innermost

_DYNAMIC = ("TORCH_LOGS=+dynamic",)

CAUSES: tuple[Cause, ...] = (
    Cause(
        name="example-size-0-or-1",
        title="the example input has size 0 or 1 in a dimension that is declared dynamic",
        patterns=(
            r"You marked \S+ as dynamic but your code specialized it to be a constant \([01]\)",
            r"was inferred to be a constant \([01]\)",
            r"but export 0/1 specialized due to hint of [01]",
            r"0/1 specialized; Dim\.AUTO was specified along with a sample input with hint = [01]",
        ),
        why="Export makes constants of the sizes 0 and 1. With Dim.AUTO it only warns, and the program is static.",
        fix="Export with an example of size 2 or more in that dimension.",
        rules=("AOTI302",),
        rerun=_DYNAMIC,
        symptom="export-error",
    ),
    Cause(
        name="size-made-constant",
        title="something made a constant of a dimension that is declared dynamic",
        patterns=(
            r"You marked \S+ as dynamic but your code specialized it to be a constant \(\d+\)",
            r"specified dim hint Dim\.DYNAMIC\(.*\), but tracing inferred a static shape of \d+",
            r"are valid because \S+ was inferred to be a constant \(\d+\)",
        ),
        why="One of these: int(), len(), range() or a branch on the size in forward; a reshape or a tensor with the "
        "example's number in it; a fake (meta) function that does so; an operator whose schema takes int where a size "
        "is passed. The message blames the Dim in all of them.",
        fix="Keep the size symbolic: x.shape[0] as it is, -1 in reshapes, SymInt in schemas.",
        rules=("AOTI320", "AOTI321", "AOTI323", "AOTI324", "AOTI402", "AOTI404", "AOTI415"),
        rerun=_DYNAMIC,
        symptom="export-error",
    ),
    Cause(
        name="dims-forced-equal",
        title="two dimensions have to be equal, and dynamic_shapes gives them different Dims",
        patterns=(
            r"The values of \w+ = .* and \w+ = .* must always be (?:equal|related)",
            r"must always be related to the values of",
        ),
        why="An operation of the model takes both.",
        fix="Give both dimensions the same Dim, or the derived one that the message suggests.",
        rules=("AOTI322",),
        rerun=_DYNAMIC,
        symptom="export-error",
    ),
    Cause(
        name="one-dim-on-two-sizes",
        title="one Dim stands for dimensions that differ in the example inputs",
        patterns=(
            r"size\(\)\[\d+\] = \d+ is not equal to .*size\(\)\[\d+\] = \d+",
            r"size of tensor a \(s\d+(?:: hint = \d+)?\) must match the size of tensor b \(s\d+",
        ),
        why="A Dim says that two dimensions are always the same.",
        fix="Use two Dims, or examples of the same size.",
        rules=("AOTI311",),
        symptom="export-error",
    ),
    Cause(
        name="derived-dim",
        title="an example has a size that its derived Dim cannot have",
        patterns=(
            r"Expected shape\[\d+\] = \d+ of input Tensor to be of the form",
            r"to be equal to .*, where \w+ = \d+, but got \d+",
        ),
        why="2*half is even, rows + 1 is one more than rows.",
        fix="Change the example or the formula.",
        rules=("AOTI313",),
        symptom="export-error",
    ),
    Cause(
        name="range-of-dim",
        title="the model does not work for every size that the Dim allows",
        patterns=(
            r"satisfy the generated guard ",
            r"AssertionError: Expected op to be '==', got",
            r"Received user-specified min/max range of \[.*\], conflicting with the inferred min/max range",
        ),
        why="A branch, a division or a reshape of the model is right for some sizes only, in forward or in the fake "
        "of a "
        "custom operator.",
        fix="Narrow the Dim as the message suggests, use a derived one (4*n), or take the condition out of the model.",
        rules=("AOTI324", "AOTI323", "AOTI303", "AOTI315", "AOTI402"),
        rerun=_DYNAMIC,
        symptom="export-error",
    ),
    Cause(
        name="keys-of-dynamic-shapes",
        title="the keys of dynamic_shapes are not the names of the inputs",
        patterns=(r"its top-level keys must be the arg names",),
        why="dynamic_shapes needs one entry for each input, by the name it has in forward.",
        fix="Use the names the message lists, with None for what is static.",
        rules=("AOTI304",),
        symptom="export-error",
    ),
    Cause(
        name="structure-of-dynamic-shapes",
        title="dynamic_shapes is nested otherwise than the inputs",
        patterns=(
            r"Detected mismatch between the structure of `inputs` and `dynamic_shapes`",
            r"Must provide a tree_name when there might be a mismatch",
            r"Cannot associate shape .* specified at `dynamic_shapes",
        ),
        why="Lists, tuples, dicts and *args of the inputs appear the same way in dynamic_shapes.",
        fix="Repeat the structure of the inputs; an entry may be None for a whole branch.",
        rules=("AOTI305", "AOTI304"),
        symptom="export-error",
    ),
    Cause(
        name="not-a-dimension",
        title="dynamic_shapes has something that is no dimension",
        patterns=(
            r"Unexpected dimension (?:mapped to index |#)\d+ in input tensor shape",
            r"Unable to specify input integers as dynamic through named Dims",
            r"Unexpected input tensor shape .* specified at `dynamic_shapes",
            r"expected dynamic_shape to be None, int, or _DimHint",
            r"Static shape constraint of \S+ does not match input size of \d+",
        ),
        placed=((r"TypeError: list indices must be integers or slices, not str", innermost("_?export")),),
        why="A dimension is a Dim, Dim.AUTO, Dim.DYNAMIC, Dim.STATIC, a number or None.",
        fix='Write torch.export.Dim("batch") instead of a text or the class. For an input that is a number, write '
        "Dim.DYNAMIC.",
        rules=("AOTI307", "AOTI308"),
        symptom="export-error",
    ),
    Cause(
        name="dimension-index",
        title="dynamic_shapes speaks of a dimension that the input does not have, or leaves one out",
        patterns=(r"Expected dynamic shape spec .* to have the same length as the actual tensor shape",),
        placed=((r"IndexError: list assignment index out of range", innermost("_?export")),),
        why="The index is as large as the rank of the example or larger; a list or tuple needs one entry for each "
        "dimension.",
        fix="Count dimensions from 0; the rank is len(x.shape). A dict, {0: batch}, names only those that are dynamic.",
        rules=("AOTI306",),
        symptom="export-error",
        level=Level.EFFECT,
    ),
    Cause(
        name="example-outside-dim",
        title="the example has a size outside of the range of its Dim",
        patterns=(r"ConstraintViolationError: \d+ not in range \[\d+, \w+\]",),
        why="The example has to be one of the sizes that the Dim allows.",
        fix="Widen the Dim or use another example.",
        rules=("AOTI308",),
        symptom="export-error",
    ),
    Cause(
        name="empty-dim",
        title="a Dim has a range without sizes, or with one only",
        patterns=(
            r"Cannot create Dim with inconsistent min=\S+, max=\S+",
            r"min must be <= max, got min=\d+, max=\d+",
            r"Expected derived (?:min|max) value of .* to be [<>]= ",
        ),
        why="min has to be smaller than max.",
        fix="Write the number itself, or None, for a fixed dimension.",
        rules=("AOTI309",),
        symptom="export-error",
    ),
    Cause(
        name="dim-name",
        title="the name of a Dim is no Python identifier",
        patterns=(r"Dim name must be a valid identifier",),
        why="Names of Dims appear in generated code.",
        fix='Write "batch_size", not "batch size".',
        rules=("AOTI310",),
        symptom="export-error",
    ),
    Cause(
        name="dim-arithmetic",
        title="a Dim is used in a formula that derived Dims cannot have",
        patterns=(r"Only increasing linear operations with integer coefficients are supported",),
        why="A derived Dim is a whole number times a Dim plus a whole number: 2*n, n + 1. Sums of two Dims, fractions "
        "and n*n are not.",
        fix="Use a Dim of its own for that size (or Dim.AUTO), and let the model relate the two.",
        symptom="export-error",
    ),
    Cause(
        name="two-dims-of-one-name",
        title="two Dims have the same name and different ranges",
        patterns=(r"Found different definitions .* for the same symbolic dimension",),
        why="A name stands for one dimension in a program.",
        fix="Make the Dim once and use it in both places.",
        rules=("AOTI312",),
        symptom="export-error",
    ),
    Cause(
        name="mark-dynamic-without-min",
        title="mark_dynamic was given max without min",
        patterns=(),
        placed=((r"not simple sympy type <class 'NoneType'>", r"in _automatic_dynamic\b"),),
        why="torch takes the range only as a whole.",
        fix="Write both: torch._dynamo.mark_dynamic(x, 0, min=2, max=8196).",
        symptom="compile-error",
        source="run on torch 2.13 (CPU); pytorch#135005",
    ),
    Cause(
        name="symbol-hashed",
        title="a dynamic size is used as a key or in a set",
        patterns=(r"unhashable type: non-nested SymInt",),
        why="A symbolic size has no fixed value, so it cannot be looked up.",
        fix="Do not keep caches by size in forward.",
        rules=("AOTI320", "AOTI316"),
        rerun=_DYNAMIC,
        symptom="export-error",
    ),
    Cause(
        name="scalar-input-dynamic",
        title="a number is declared dynamic, which AOTInductor cannot compile",
        patterns=(r"Expected a proper Tensor but got None \(or an undefined Tensor in C\+\+\)",),
        why="The exported program takes it; the package has tensors as inputs only.",
        fix="Pass the number as a tensor: torch.tensor(3).",
        rules=("AOTI337",),
        symptom="compile-error",
    ),
    Cause(
        name="input-type",
        title="an input or output of the model is of a class that export does not know",
        patterns=(
            r"Unsupported input type <class '[^']+'>",
            r"Found <class '[^']+'> in output, which is not a known type",
            r"It looks like one of the \w+s with type .* is not supported or pytree-flattenable",
            r"Unsupported: call_function args: .*UserDefinedObjectVariable\(",
        ),
        why="Inputs and outputs are tensors, numbers, texts, and lists, tuples and dicts of them.",
        fix="Register the class (torch.export.register_dataclass, torch.utils._pytree.register_pytree_node), or take "
        "its "
        "tensors apart in a wrapper module.",
        symptom="export-error",
    ),
    Cause(
        name="bounded-target",
        title="the runtime reserved memory for smaller inputs",
        patterns=(r"Attempted to resize a (?:bounded|static) tensor",),
        why="Runtimes with planned memory need an upper bound for every dynamic dimension.",
        fix='Give the Dim a max: torch.export.Dim("batch", max=64).',
        symptom="shape-mismatch",
        source="executorch#7717, executorch#1350",
    ),
    Cause(
        name="constraints-violated",
        title="the model does not hold for all sizes that dynamic_shapes declares",
        patterns=(r"Constraints violated \(\w+(?:, \w+)*\)!",),
        why="What the forward asks of a size narrows it, fixes it, or ties it to another. The lines below the message "
        "say which.",
        fix="Narrow the Dim to what the model takes, or declare Dim.AUTO, which finds the range.",
        rules=("AOTI315", "AOTI320", "AOTI321", "AOTI322", "AOTI323", "AOTI324", "AOTI302"),
        symptom="export-error",
        level=Level.WALL,
    ),
)
