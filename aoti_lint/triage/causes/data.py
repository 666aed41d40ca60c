"""Python that depends on what is in a tensor."""

from __future__ import annotations

from aoti_lint.triage.cause import Cause, Level

CAUSES: tuple[Cause, ...] = (
    Cause(
        name="data-dependent-branch",
        title="the model decides by what is in a tensor (if, while, assert, a size taken from data)",
        patterns=(
            r"Could not guard on data-dependent expression",
            r"Could not extract specialized integer from data-dependent expression",
            r"Data-dependent branching",
            r"Dynamic control flow is not supported",
        ),
        why="While exporting there are no data, so Python cannot know which way to go.",
        fix="Compute both ways and choose with torch.where, use torch.cond, or state what holds with torch._check(…).",
        rules=("AOTI325", "AOTI326", "AOTI403"),
        rerun=("TORCH_LOGS=+dynamic",),
        symptom="export-error",
    ),
    Cause(
        name="cond-branches",
        title="the branches of torch.cond do not give the same kind of result, or change or return their inputs",
        patterns=(
            r"Higher order ops do not support (?:aliasing|input mutation)",
            r"When merging two branches' output in torch\.cond",
        ),
        why="Both branches have to give tensors of the same dtype, device and rank, and fresh ones.",
        fix="Return x.clone() instead of x, convert dtypes in both branches; exporting under torch.no_grad() allows "
        "aliases.",
        symptom="export-error",
    ),
    Cause(
        name="scan-on-the-cpu",
        title="associative_scan takes tensors on a GPU only, in its default mode",
        patterns=(r"For combine_mode='pointwise', all input tensors need to be on CUDA",),
        why="Inductor has a kernel for that mode on GPUs alone, and the check is made while the model is exported.",
        fix='Write combine_mode="generic", which works everywhere, or export with inputs on the GPU.',
        symptom="export-error",
        source="pytorch#186594; torch 2.13, _higher_order_ops/associative_scan.py:217",
    ),
    Cause(
        name="data-pointer",
        title="the model asks for the memory of a tensor (numpy, data_ptr, a C extension)",
        patterns=(
            r"Cannot access data pointer of Tensor",
            r"\.(?:numpy|tolist)\(\) is not supported for tensor subclasses",
        ),
        why="While exporting, tensors are fake: they have shapes and no memory.",
        fix="Make the function a custom operator with a fake (torch.library.custom_op, register_fake).",
        rules=("AOTI326", "AOTI403", "AOTI401"),
        symptom="export-error",
    ),
    Cause(
        name="no-numpy",
        title="numpy is not installed, or too new for this torch",
        patterns=(r"Numpy is not available",),
        why="x.numpy() and torch.from_numpy need it. In the forward of a model that is exported, and in a fake, they "
        "fail with numpy too.",
        fix="Stay with tensors; elsewhere install the numpy that this torch was built for.",
        rules=("AOTI326", "AOTI403"),
        symptom="export-error",
        level=Level.EFFECT,
    ),
    Cause(
        name="complex-dtype",
        title="the model uses complex numbers",
        patterns=(
            r"KeyError: '?(?:torch\.)?complex(?:64|128)'?",
            r"Torchinductor does not support code generation for complex operators",
        ),
        why="Inductor generates no kernels for complex dtypes.",
        fix="Compute with the real and imaginary part as two real tensors (torch.view_as_real).",
        symptom="compile-error",
        source="pytorch#185396, pytorch#191330",
    ),
    Cause(
        name="graph-break",
        title="torch.compile(fullgraph=True), or a strict export, met Python that it cannot trace",
        patterns=(
            r"Graph break due to unsupported (?:Python )?builtin",
            r"(?:torch\._dynamo\.exc\.|Reason: )Unsupported: ",
            r"whole graph export entails exactly one guard export",
            r"Tried to emit a second graph during export",
            r"Failed to produce a graph during tracing as no tensor operations were found",
        ),
        placed=((r"^Unsupported: ", r"torch[/\\]_dynamo[/\\]"),),
        why="print, logging and warnings are no part of a graph; functions of a C++ extension (pybind) cannot be seen "
        "into; some classes and functions of Python and torch are not known to Dynamo. In some releases the hooks of "
        "a module count, and a module of torch alone (nn.MSELoss) is not traced at all.",
        fix="Take it out of forward, export with strict=False, or name a logging function in "
        "torch._dynamo.config.reorderable_logging_functions. Wrap a C++ function with torch.library.custom_op and a "
        "fake, a module of torch in one of your own.",
        rerun=("TORCH_LOGS=graph_breaks",),
        symptom="compile-error",
        level=Level.EFFECT,
        source="pytorch#135688, pytorch#108650",
    ),
)
