"""torch.cond, while_loop, scan and map: the functions that they are given."""

from __future__ import annotations

from aoti_lint.triage.cause import Cause, Level

CAUSES: tuple[Cause, ...] = (
    Cause(
        name="cond-branches",
        title="the functions given to torch.cond, while_loop, scan or map do not give the same kind of result, or "
        "change or return their inputs",
        patterns=(
            r"Higher order ops do not support (?:aliasing|input mutation)",
            r"Encountered (?:aliasing|input mutation) during higher order op tracing",
            r"When merging two branches' output in torch\.cond",
            r"Expect branches to return tensors with same metadata",
            r"Expected branches to return the same pytree structure",
            r"Unmatched output spec from torch\.cond branches",
            r"Expected to return same number of outputs but got:",
            r"Expected \w+ and \w+ to have same (?:number of outputs|metadata) but (?:got|found)",
            r"Output aliasing is currently not supported in compiled torch\.\w+",
            r"Constants returned from branches must be ints",
            r"For (?:scan|associative_scan|map), \w+ (?:can only|cannot) (?:have in-place mutations|mutate)",
        ),
        why="Both branches of a cond have to give tensors of the same dtype, device and rank; each turn of a loop has "
        "to give what it was given, of the same shapes. All results have to be fresh tensors.",
        fix="Return x.clone() instead of x, convert dtypes and pad sizes in both functions; exporting under "
        "torch.no_grad() allows aliases in a cond.",
        rules=("AOTI716", "AOTI342"),
        symptom="export-error",
        source="run on torch 2.13 (CPU); pytorch#145734",
    ),
    Cause(
        name="control-flow-arguments",
        title="torch.cond, while_loop, scan or map is given something that it does not take",
        patterns=(
            r"Expected pred to be bool or (?:tensor|single-element tensor), but got",
            r"Expected `pred` to be a bool or a boolean tensor with a single item",
            r"Expect both branches to be callable",
            r"Expect operands to be a tuple of possibly nested",
            r"Expected `operands` to be a list/tuple",
            r"torch\.cond expects 4 positional arguments",
            r"Expect (?:cond_fn and body_fn to be callable|carried_inputs to be a tuple of possibly nested)",
            r"carried_inputs must be a tuple or list",
            r"Expected cond_fn to return a scalar tensor or a bool",
            r"cond_fn must return a boolean scalar tensor or a boolean",
            r"Expected combine_fn to be wrapped as functools\.partial|Expect combine_fn to return a tuple",
            r"Mapped xs can only consist of tensors|Leading dimensions of mapped xs ",
            r"scan\(\) operator requires init leaves|All (?:init|xs) leaves must be a Tensor",
            r"Combine_mode must either 'pointwise' or 'generic'",
        ),
        why="A condition is one bool, or a tensor of one element: x.sum() > 0, not x > 0. Operands are a tuple of "
        "tensors, (x,) and not x. The function of a scan gives (new state, output).",
        fix="Give it what the message asks for: reduce the condition with .any() or .all(), and put tensors into a "
        "tuple.",
        rules=("AOTI342",),
        symptom="export-error",
    ),
    Cause(
        name="scan-on-the-cpu",
        title="associative_scan takes tensors on a GPU only, in its default mode",
        patterns=(r"For combine_mode='pointwise', all input tensors need to be on CUDA",),
        why="Inductor has a kernel for that mode on GPUs alone, and the check is made while the model is exported.",
        fix='Write combine_mode="generic", which works everywhere, or export with inputs on the GPU.',
        rules=("AOTI342",),
        symptom="export-error",
        source="pytorch#186594; torch 2.13, _higher_order_ops/associative_scan.py:217",
    ),
    Cause(
        name="flex-attention-gradients",
        title="flex_attention is given tensors on the CPU that want a gradient",
        patterns=(r"FlexAttention does not support backward on CPU",),
        why="It has no backward pass on the CPU, and what a layer with weights gives wants a gradient unless autograd "
        "is off.",
        fix="Run or export it under torch.no_grad(), or on a GPU.",
        rules=("AOTI347",),
        symptom="export-error",
    ),
    Cause(
        name="loop-memory",
        title="a loop works on one tensor in two places, and is traced once more",
        patterns=(r"(?:cond_fn|body_fn|cond_true|cond_false|scan) might be aliasing the input or the output!",),
        why="The export takes it. To decompose or compile the program the graphs are traced anew, and then no two "
        "inputs may share their memory: what is carried on, and what the functions read from around them.",
        fix="Give the loop a copy of it: x.clone().",
        rules=("AOTI343",),
        symptom="export-error",
    ),
    Cause(
        name="tensor-made-in-branch",
        title="a function of torch.cond, while_loop, map or scan makes a tensor of numbers, and is traced once more",
        patterns=(r"Attempting to use FunctionalTensor on its own",),
        why="The export lifts what torch.tensor(…) makes into the program, and tracing the program anew does not know "
        "it in the graph of a function.",
        fix="Make it with torch.full(…), or outside of the function, or write the number itself.",
        rules=("AOTI718",),
        symptom="export-error",
    ),
    Cause(
        name="control-flow-not-captured",
        title="a function given to torch.cond, while_loop, scan or map cannot be traced as a whole",
        patterns=(r"doesn't work unless it is captured completely with torch\.compile",),
        why="These functions become graphs of their own, so nothing in them may break the graph: no print, no values "
        "of tensors, no changes of what is outside.",
        fix="Read what the message says after `Got`, or the error above it, and take that out of the function.",
        unseen="What breaks a graph differs by release; in these functions no rule looks for it yet.",
        rerun=("TORCH_LOGS=graph_breaks",),
        symptom="export-error",
        level=Level.EFFECT,
    ),
)
