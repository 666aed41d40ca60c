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
            r"trying to get value out of a tracing tensor with",
            r"DataDependentOutputException: ",
            r"Data dependent operator|Data-dependent assertion failed|Dynamic slicing with Tensor arguments",
            r"Indexing (?:list|torch\.Size) with non-scalar tensor",
        ),
        why="While exporting there are no data, so Python cannot know which way to go.",
        fix="Compute both ways and choose with torch.where, use torch.cond, or state what holds with torch._check(…).",
        rules=("AOTI325", "AOTI326", "AOTI349", "AOTI403", "AOTI517"),
        rerun=("TORCH_LOGS=+dynamic",),
        symptom="export-error",
    ),
    Cause(
        name="size-from-data",
        title="the size of an operator's result depends on what is in a tensor",
        patterns=(
            r"DynamicOutputShapeException: ",
            r"Dynamic shape operator",
        ),
        why="nonzero, masked_select, unique and indexing with a mask give as many elements as the data say.",
        fix="torch.export takes these operators as they are, torch.compile after "
        "torch._dynamo.config.capture_dynamic_output_shape_ops = True. A custom operator needs a fake that calls "
        "torch.library.get_ctx().new_dynamic_size(). Else use torch.where, which keeps the size.",
        rules=("AOTI409",),
        symptom="export-error",
        source="run on torch 2.13 (CPU)",
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
        unseen="A program may hold complex numbers; which compilers take them differs by release.",
        symptom="compile-error",
        source="pytorch#185396, pytorch#191330",
    ),
)
