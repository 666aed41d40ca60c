"""Python that Dynamo cannot follow, and operations that fail while a model is traced."""

from __future__ import annotations

from aoti_lint.triage.cause import BY_RELEASE, COMPILED, GRADIENTS, MACHINE, NOT_YET, Cause, Level

CAUSES: tuple[Cause, ...] = (
    Cause(
        name="compiled-function-traced",
        title="what torch.compile made is traced once more, by torch.fx or torch.jit.trace",
        patterns=(r"Detected that you are using FX to (?:symbolically trace|torch\.jit\.trace) a dynamo-optimized",),
        why="A compiled function guards and compiles itself; it is no code that a second tracer can read.",
        fix="Trace or export the module itself, and compile afterwards; a compiled module has it as model._orig_mod.",
        rules=("AOTI215",),
        symptom="export-error",
    ),
    Cause(
        name="compile-not-on-this-python",
        title="this torch cannot compile with this Python, or on this system",
        patterns=(
            r"Python 3\.\d+\+? (?:is )?not (?:yet )?supported (?:for|with|by) torch\.compile",
            r"(?:torch\.compile|Dynamo) is not (?:yet )?supported (?:on|for|with) (?:Python|Windows)",
            r"Windows not yet supported for torch\.compile",
        ),
        why="torch.compile reads the bytecode of Python, which changes with every release; older torch releases do "
        "not compile on Windows either.",
        fix="Use a newer torch, or an older Python. torch.export with strict=False does not need Dynamo.",
        unseen=MACHINE,
        symptom="compile-error",
        source="torch 2.13, _dynamo/eval_frame.py:1629",
    ),
    Cause(
        name="grad-mode-switched",
        title="forward switches gradients or autocast on or off for what comes after it",
        patterns=(
            r"trying to change global autograd state while exporting",
            r"AOTAutograd does not support tracing graphs that mutate the autocast state",
        ),
        why="torch.set_grad_enabled(False) as a call changes the state of the process, and a graph cannot do that.",
        fix="Write it as a block, `with torch.no_grad():`, or switch outside of forward.",
        unseen=BY_RELEASE,
        symptom="export-error",
        source="torch 2.13, export/_safeguard.py:41, _functorch/_aot_autograd/collect_metadata_analysis.py:244",
    ),
    Cause(
        name="unregistered-tensor",
        title="forward uses a tensor that is neither an input nor a parameter or buffer of the model",
        patterns=(r"Cannot export model which references tensors that are neither buffers/parameters",),
        why="A tensor kept in a list, a dict, a global or another object is not known to the program.",
        fix="Register it as a buffer (self.register_buffer), or pass it as an input.",
        unseen=NOT_YET,
        symptom="export-error",
        source="torch 2.13, _dynamo/eval_frame.py:2059",
    ),
    Cause(
        name="real-tensor-among-fakes",
        title="an operation gets fake tensors and a real one together while the model is traced",
        patterns=(r"Please convert all Tensors to FakeTensors first or instantiate FakeTensorMode",),
        why="Tracing replaces inputs, parameters and buffers with tensors that have no data. The message names the "
        "operation, and shows the real tensor with [...]: it came from elsewhere, a cache, a global, or a second "
        "tracer.",
        fix="Register that tensor as a buffer, pass it as an input, or make it inside forward.",
        unseen="Where the tensor comes from, such as a cache, hangs on what ran before in the process.",
        symptom="export-error",
    ),
    Cause(
        name="double-backward",
        title="a compiled function is differentiated twice",
        patterns=(r"torch\.compile with aot_autograd does not currently support double backward",),
        why="create_graph=True, gradient penalties and Hessians need the gradient of a gradient.",
        fix="Leave that part outside of torch.compile, or compile with backend='eager'.",
        unseen=GRADIENTS,
        symptom="compile-error",
    ),
    Cause(
        name="meta-weights",
        title="weights of the model are on the meta device: they have no data",
        patterns=(),
        placed=((r"Cannot copy out of meta tensor; no data!", COMPILED),),
        why="The model was made under torch.device('meta'), or its weights were moved out by a loader to save memory "
        "(low_cpu_mem_usage, device_map).",
        fix="Load the weights onto a device first: model.to_empty(device=...) and load_state_dict, or "
        "load_state_dict(..., assign=True).",
        unseen="A loader leaves them there for want of memory, which no source says.",
        symptom="export-error",
    ),
    Cause(
        name="view-of-strided",
        title="view() is called on a tensor whose memory layout does not allow it",
        patterns=(r"Cannot view a tensor with shape .* and strides .* as a tensor with shape",),
        placed=((r"view size is not compatible with input tensor's size and stride", COMPILED),),
        why="After a transpose, permute or slice the elements are not in one row. Channels-last tensors, and fakes of "
        "custom operators with other strides than the kernel's, end in this too.",
        fix="Write reshape() instead of view(), or .contiguous() before it.",
        rules=("AOTI422",),
        symptom="export-error",
    ),
    Cause(
        name="dynamo-setting",
        title="Dynamo can trace this only when one of its settings is changed",
        patterns=(
            r"^\s*(?:Hint: )?(?:Set|Change|Enable tracing of .* with) +"
            r"`?torch\._dynamo\.config\.(?!suppress_errors)\w+",
        ),
        why="The message names the setting in its line `Hint:`. It is off because what it allows is slow, new, or "
        "different from plain Python.",
        fix="Set it before the export or the first call, and see whether the rest works: "
        "torch._dynamo.config.NAME = VALUE. Else take that code out of forward.",
        unseen="What Dynamo can trace differs by release; its message names the setting.",
        rerun=("TORCH_LOGS=graph_breaks",),
        symptom="compile-error",
        level=Level.EFFECT,
    ),
    Cause(
        name="data-attribute",
        title="the forward computes with x.data, or takes a gradient, which an export does not see through",
        patterns=(r"We found a fake tensor in the exported program constant's list",),
        why=".data is the tensor without its history, and that of the trace is part of it: what is computed with it is "
        "taken for a constant. So is what autograd kept of exp, sqrt, norm, Linear and others for torch.autograd.grad.",
        fix="Write x.detach(); export what make_fx(model)(*inputs) gives, where the forward takes a gradient.",
        rules=("AOTI346", "AOTI348"),
        symptom="export-error",
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
            r"Non-recursive torch\.compiler\.disable is not supported with torch\.export",
        ),
        placed=((r"^Unsupported: ", r"torch[/\\]_dynamo[/\\]"),),
        why="print, logging and warnings are no part of a graph; functions of a C++ extension (pybind) cannot be seen "
        "into; some classes and functions of Python and torch are not known to Dynamo. In some releases the hooks of "
        "a module count, and a module of torch alone (nn.MSELoss) is not traced at all.",
        fix="Take it out of forward, export with strict=False, or name a logging function in "
        "torch._dynamo.config.reorderable_logging_functions. Wrap a C++ function with torch.library.custom_op and a "
        "fake, a module of torch in one of your own.",
        rules=("AOTI515", "AOTI344", "AOTI713"),
        rerun=("TORCH_LOGS=graph_breaks",),
        symptom="compile-error",
        level=Level.EFFECT,
        source="pytorch#135688, pytorch#108650",
    ),
    Cause(
        name="symbolic-trace",
        title="torch.fx.symbolic_trace met a decision, or Python, that depends on a tensor",
        patterns=(
            r"symbolically traced variables cannot be used as inputs to control flow",
            r"'len' is not supported in symbolic tracing by default",
        ),
        why="symbolic_trace runs forward with placeholders that have neither values nor shapes.",
        fix="Use torch.export.export, which traces with shapes and takes if on sizes; older quantization tools "
        "(prepare_fx) still trace this way.",
        unseen="What torch.fx.symbolic_trace does is not followed.",
        symptom="export-error",
        level=Level.EFFECT,
    ),
    Cause(
        name="operation-fails",
        title="an operation of the model fails on these inputs while it is traced",
        patterns=(
            r"TorchRuntimeError: ",
            r"Dynamo failed to run FX node with fake tensors",
        ),
        why="Dynamo runs every operation with tensors that have no data. What fails then fails in plain Python too: "
        "sizes, dtypes or devices that do not fit, or an argument that is no tensor (numpy). The message names the "
        "operation, and after `got` what it said.",
        fix="Run the model once on the same inputs without compiling it, and mend what it says.",
        rules=("AOTI714", "AOTI711", "AOTI716"),
        symptom="compile-error",
        level=Level.EFFECT,
    ),
)
