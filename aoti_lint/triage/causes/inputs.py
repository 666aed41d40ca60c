"""Calls of a loaded package, or of an exported module, with inputs it was not made for."""

from __future__ import annotations

from aoti_lint.triage.cause import COMPILED, TRACED, VALUES, Cause, Level

_CHECK = ("AOTI_RUNTIME_CHECK_INPUTS=1",)

CAUSES: tuple[Cause, ...] = (
    Cause(
        name="static-size",
        title="the model is called with a size that it was exported without: the dimension is static",
        patterns=(
            r"unmatched dim value at \d+, expected: \d+, but got: \d+",
            r"Guard failed: .*size\(\)\[\d+\] == \d+",
            r"Expected input at \S+\.shape\[\d+\] to be equal to \d+, but got \d+",
        ),
        why="Without an entry in dynamic_shapes the size of the example is part of the program.",
        fix='Declare it at the export: dynamic_shapes={"x": {0: torch.export.Dim("batch")}}.',
        rules=("AOTI301", "AOTI314"),
        symptom="shape-mismatch",
    ),
    Cause(
        name="lower-bound-2",
        title="the package asks for at least 2 in a dimension; a Dim with min=1 does not change that",
        patterns=(r"dim value is too small at \d+, expected it to be >= 2, but got: 1\b",),
        why="Export treats sizes 0 and 1 specially, and the check of the package starts at 2, whatever the Dim says. "
        "Without the check the package computes size 1 rightly where the model does.",
        fix='Compile with inductor_configs={"aot_inductor.check_lowerbound": False} (torch 2.10 and later).',
        rules=("AOTI333", "AOTI615", "AOTI508"),
        symptom="shape-mismatch",
    ),
    Cause(
        name="size-out-of-range",
        title="the model is called with a size outside of the range of its Dim",
        patterns=(
            r"dim value is too (?:small|large) at \d+, expected",
            r"Expected input at \S+\.shape\[\d+\] to be [<>]= \d+, but got \d+",
            r"Guard failed: .*size\(\)\[\d+\] (?:<=|>=|<|>) \d+",
        ),
        why="The range of the Dim, or what the model asks of the size, is part of the program.",
        fix="Widen the Dim at the export, or keep inputs within it.",
        rules=("AOTI333", "AOTI612"),
        symptom="shape-mismatch",
    ),
    Cause(
        name="guard-of-the-model",
        title="the model is called with a size for which what it computes is not right (%, //, !=)",
        patterns=(
            r"Guard failed: .*size\(\)\[\d+\].*(?:%|//|!=)",
            r"Expected input \S+ = \d+ to be of the form .*, where \w+ is an integer",
        ),
        why="The export noted a condition on the size. The module checks it; a package does not, and gives wrong "
        "numbers.",
        fix="Check the size before the call, or declare what holds: a derived Dim such as 4*n.",
        rules=("AOTI338", "AOTI612"),
        symptom="shape-mismatch",
    ),
    Cause(
        name="frozen-value",
        title="a number, flag or text was frozen at the export, and the call passes another",
        patterns=(
            r"Guard failed: \w+(?:\[[^\]]*\])* (?:==|is|!=) ",
            r"Expected input at (?!\S+\.shape\[)\S+ to be (?:equal to|nan)\b.*, but got ",
        ),
        why="Inputs that are no tensors become constants. A package ignores what the call passes.",
        fix="Pass it as a tensor (torch.tensor(3.0)), or export one program for each value.",
        rules=("AOTI330", "AOTI604"),
        symptom="wrong-result",
    ),
    Cause(
        name="other-guard",
        title="the call does not fit what the export noted of the example inputs",
        patterns=(r"Guard failed: ",),
        why="The module of a program checks its inputs against the example.",
        fix="Compare the input with the condition in the message.",
        rules=("AOTI612", "AOTI334"),
        symptom="shape-mismatch",
        level=Level.EFFECT,
    ),
    Cause(
        name="dtype-of-input",
        title="the package is called with another dtype than its example",
        patterns=(
            r"unmatched dtype, expected: \S+, but got: \d+",
            r"Expected out tensor to have dtype \S+, but got \S+ instead",
            r"Exception in aoti_torch: .*(?:mat1 and mat2 must have the same dtype|expected scalar type \w+ but found)",
        ),
        why="Kernels read the bytes as the dtype of the example; operators of torch in the package look, and raise.",
        fix="Convert it before the call, or export with the dtype that is used.",
        rules=("AOTI331", "AOTI612"),
        rerun=_CHECK,
        symptom="wrong-result",
    ),
    Cause(
        name="strides-of-input",
        title="the package is called with another memory layout than its example",
        patterns=(r"unmatched stride value at \d+, expected: \d+, but got: \d+",),
        why="A transposed, permuted or sliced tensor has other strides; the kernels read with those of the example.",
        fix="Call .contiguous() before, or export with the layout that is used.",
        rules=("AOTI332", "AOTI612"),
        symptom="wrong-result",
    ),
    Cause(
        name="number-of-inputs",
        title="the package is called with more or fewer tensors than it takes",
        patterns=(
            r"expected inputs vector size to be \d+, but got \d+",
            r"Unexpected number of inputs \(expected \d+, got \d+\)",
        ),
        why="Every tensor of the example belongs to the call, in its order.",
        fix="Compare with `aoti-lint contract model.pt2`.",
        rules=("AOTI335", "AOTI612"),
        symptom="shape-mismatch",
    ),
    Cause(
        name="names-of-inputs",
        title="an input is passed by name that was exported by position, or the reverse",
        patterns=(
            r"Ran into a kwarg keyword mismatch: Got the following keywords",
            r"Flat args adaption failed, number of args mismatch",
            r"Trying to flatten user inputs with exported input tree spec",
        ),
        why="The split into args and kwargs, and the nesting, are part of the program.",
        fix="Call it as it was exported: the same arguments by position, the same by name.",
        rules=("AOTI335", "AOTI612"),
        symptom="shape-mismatch",
    ),
    Cause(
        name="rank-of-input",
        title="the model is called with a tensor of another rank than its example, or with no tensor",
        patterns=(
            r"Unexpected number of dimensions in input at \S+ \(expected",
            r"Expected input at \S+ to be a tensor, but got",
        ),
        why="The number of dimensions, and which inputs are tensors, are part of the program.",
        fix="Bring the input into the shape of the example (x.unsqueeze(0), torch.as_tensor), or export with one like "
        "it.",
        rules=("AOTI612",),
        symptom="shape-mismatch",
        source="torch 2.13, _export/utils.py:462",
    ),
    Cause(
        name="outputs-resized",
        title="an input had another size than the package was compiled for",
        patterns=(r"Warning: An output with one or more elements was resized",),
        why="An operator of the package had to resize its result: the compiled sizes are those of the example. The "
        "rest of the package goes on with the wrong ones.",
        fix="Run with the input check to see which input it is, and declare its dimension dynamic at the export.",
        rules=("AOTI301",),
        rerun=_CHECK,
        symptom="wrong-result",
    ),
    Cause(
        name="inner-sizes",
        title="an operation met sizes that do not fit each other",
        patterns=(
            r"Attempting to broadcast a dimension of length",
            r"a and b must have same reduction dim, but got ",
            r"attempting to expand a dimension of length ",
            r"Exception in aoti_torch: .*(?:mat1 and mat2 shapes|Sizes of tensors must match|The expanded size of the "
            r"tensor|is invalid for input of size|weight of size .* channels|first two dimensions of batch2)",
            r"\] Check failed \(tensors_have_same_(?:shape|size)",
        ),
        placed=(
            (r"mat1 and mat2 shapes cannot be multiplied \(", TRACED),
            (r"The size of tensor a \([^()]+\) must match the size of tensor b \([^()]+\)", TRACED),
            (r"Sizes of tensors must match except in dimension \d+", COMPILED),
            (r"shape '\[[^\]]*\]' is invalid for input of size ", COMPILED),
            (r"The expanded size of the tensor \(", COMPILED),
            (r"Given groups=\d+, weight of size .* to have \d+ channels, but got \d+", COMPILED),
            (r"Expected size for first two dimensions of batch2 tensor to be", COMPILED),
        ),
        why="An input has another inner size than the model takes, or the model joins tensors that do not fit. While "
        "it is traced, fake tensors say so first: where the model runs and its export fails here, the fake of a custom "
        "operator promises another shape than its kernel gives.",
        fix="Print the shapes before the operation. The sizes that a package takes are in `aoti-lint contract "
        "model.pt2`. `aoti-lint probe MODULE` compares fakes with their kernels.",
        rules=("AOTI301", "AOTI714", "AOTI612", "AOTI404"),
        rerun=_CHECK,
        symptom="shape-mismatch",
        level=Level.EFFECT,
    ),
    Cause(
        name="dtypes-mixed",
        title="an operation met dtypes that do not fit each other",
        patterns=(),
        placed=(
            (r"expected m1 and m2 to have the same dtype, but got: ", COMPILED),
            (r"mat1 and mat2 must have the same dtype, but got \w+ and \w+", COMPILED),
            (r"expected scalar type \w+ but found \w+", COMPILED),
            (r"Input type \(.*\) and (?:weight|bias) type \(.*\) should be the same", COMPILED),
            (r"Expected tensor for argument #\d+ '\w+' to have one of the following scalar types", COMPILED),
        ),
        why="The input or a part of the model has another dtype than the weights (half against float, float indices), "
        "or autocast was on where the model was written for it and is off here.",
        fix="Convert both to one dtype before the export (model.to(dtype), x.to(dtype); indices as torch.long).",
        rules=("AOTI331", "AOTI711"),
        symptom="shape-mismatch",
        level=Level.EFFECT,
    ),
    Cause(
        name="index-out-of-bounds",
        title="an index tensor points outside of the tensor it is used on",
        patterns=(
            r"index out of bounds: 0 <= tmp\d+",
            r"index \d+ is out of bounds for dimension",
            r"Assertion `.*(?:index out of bounds\b|\bsrcIndex < srcSelectDimSize|\bt >= 0 && t < n_classes).*` failed",
        ),
        why="A token, class or gather index is as large as the table or larger, or negative; an empty tensor makes "
        "every "
        "index too large.",
        fix="Check the input: 0 <= index < size. The name in the message (ks0, 10L) is the size.",
        unseen=VALUES,
        rerun=("AOT_INDUCTOR_DEBUG_INTERMEDIATE_VALUE_PRINTER=3", "TORCHINDUCTOR_FORCE_DISABLE_CACHES=1"),
        symptom="illegal-memory-access",
    ),
    Cause(
        name="runtime-assertion",
        title="an assertion about a size that the data decides does not hold",
        patterns=(r"Error: u\d+ [<>=!]+ \d+", r"Runtime assertion failed for expression"),
        why="The export assumed it, or torch._check states it; it can be stricter than the model needs.",
        fix="Look at what the expression says of the input. TORCH_LOGS=+dynamic at the export names the line it comes "
        "from.",
        unseen=VALUES,
        rerun=("TORCH_LOGS=+dynamic",),
        symptom="shape-mismatch",
        source="pytorch#146462",
    ),
    Cause(
        name="api-call-failed",
        title="an operator in the package failed",
        patterns=(r"API call failed", r"(?:create|run)_func_\(", r"KernelCall failed at instruction \d+:\d+"),
        why="The package reports only which call of its generated code failed; the reason, if it is said, is in "
        "another line. An input on another device, or of another size or dtype than at the export, ends like this.",
        fix="Compare what is given with the example of the export, read the line before or after it, and run again "
        "with TORCH_SHOW_CPP_STACKTRACES=1.",
        rules=("AOTI101", "AOTI102", "AOTI301"),
        rerun=("TORCH_SHOW_CPP_STACKTRACES=1", *_CHECK),
        symptom="shape-mismatch",
        level=Level.WALL,
    ),
)
