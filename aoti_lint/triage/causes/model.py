"""What the model does, or is, that export cannot keep."""

from __future__ import annotations

from aoti_lint.triage.cause import BY_RELEASE, GRADIENTS, TRACED, Cause, Level

CAUSES: tuple[Cause, ...] = (
    Cause(
        name="attribute-assigned",
        title="forward assigns an attribute of the module, and the program loses the update",
        patterns=(r"The tensor attributes? .* (?:was|were) assigned during export",),
        why="Only buffers that are changed in place (add_, copy_) are written back.",
        fix="Register a buffer and change it in place, or return the value.",
        rules=("AOTI704",),
        symptom="wrong-result",
        level=Level.NOTE,
    ),
    Cause(
        name="attribute-assigned-strict",
        title="forward assigns an attribute of the module, which a strict export refuses",
        patterns=(r"Mutating module attribute \w+ during export",),
        why="self.x = …, and self.x += … too, bind a new tensor; an exported program keeps none.",
        fix="Register a buffer and change it in place (self.x.add_(…)), or return the value.",
        unseen=BY_RELEASE,
        symptom="export-error",
        source="pytorch#111676, pytorch#106217",
    ),
    Cause(
        name="mode-after-export",
        title="eval() or train() is called on the module of an exported program",
        patterns=(r"Calling (?:eval|train)\(\) is not supported yet",),
        why="Dropout and normalisation were frozen in the mode the model had at the export.",
        fix="Call model.eval() before the export.",
        rules=("AOTI710",),
        symptom="wrong-result",
    ),
    Cause(
        name="fake-tensors-left",
        title="the model holds fake tensors of an earlier export or compile",
        patterns=(
            r"fake mode \(.*\) from .* doesn't match mode",
            r"mixing fake modes|Mixing fake modes",
        ),
        why="forward stored a tensor in the module while it was traced, or a compiled module is exported again.",
        fix="Export a fresh model (copy.deepcopy before), and do not assign tensors in forward.",
        unseen="What earlier exports have left in a module hangs on all that ran before in the process.",
        symptom="export-error",
        source="pytorch#155114, pytorch#171674",
    ),
    Cause(
        name="inference-tensors",
        title="the model or its inputs were made inside torch.inference_mode()",
        patterns=(
            r"requires_grad=True on inference tensor outside InferenceMode",
            r"Inference tensors cannot be saved for backward",
        ),
        why="Tensors made there cannot be used by tracing outside.",
        fix="Make and load the model outside; use torch.no_grad() around the export.",
        rules=("AOTI709",),
        symptom="export-error",
        source="pytorch#161191; run on torch 2.13 (CPU)",
    ),
    Cause(
        name="lifted-constant-changed",
        title="forward changes a tensor that is neither buffer nor parameter",
        patterns=(
            r"mutation of lifted tensor constants is unsupported",
            r"Constant \S+ is mutated in the forward method\. Pls register it as buffer",
            r"expected to have an entirely functional graph, but found %",
            r"mutating a non-functional tensor with a functional tensor is not allowed",
        ),
        why="A tensor captured from outside becomes a constant of the program.",
        fix="Register it as a buffer of the module.",
        rules=("AOTI703",),
        symptom="compile-error",
        source="run on torch 2.13 (CPU); pytorch#197096",
    ),
    Cause(
        name="shared-tensor-changed",
        title="forward changes, in place, a tensor that may share its memory with another one",
        patterns=(r"cannot mutate tensors with frozen storage",),
        why="x.to(…), dropout and a few others give back their input itself when there is nothing to do, and export "
        "does not know which of the two it will be.",
        fix="Clone before the change (x = x.to(device).clone(); x[:, 0] = 0), or leave out the in-place form "
        "(nn.ReLU() instead of nn.ReLU(inplace=True)).",
        unseen=BY_RELEASE,
        symptom="export-error",
        source="pytorch#136846; torch's recipe of export challenges (BLIP)",
    ),
    Cause(
        name="parameter-changed",
        title="forward changes a parameter in place while its gradient is on",
        patterns=(),
        placed=(
            (r"a (?:view of a )?leaf Variable that requires grad (?:is being|has been) used in an in-place", TRACED),
        ),
        why="Tracing runs with gradients on, and some releases do so even inside a torch.no_grad() of forward.",
        fix="Export inside torch.no_grad(), call model.requires_grad_(False) before, or make the tensor a buffer.",
        rules=("AOTI703",),
        symptom="export-error",
        source="run on torch 2.13 (CPU); pytorch#159623",
    ),
    Cause(
        name="input-twice-and-changed",
        title="one tensor is given to the program twice, or as two views, and the program changes it",
        patterns=(
            r"Encountered (?:duplicated?|aliased) inputs that are mutated in the graph",
            r"does not yet handle (?:non-differentiable view input mutations|input mutations on views)",
        ),
        why="A program takes its inputs and buffers to be apart from each other: a cache that is a buffer and an "
        "input, or the same list given to two parameters, is not.",
        fix="Pass it once, or clone it in the example.",
        unseen=BY_RELEASE,
        symptom="export-error",
        source="pytorch#166572; torch 2.13, _functorch/_aot_autograd/runtime_wrappers.py:1607",
    ),
    Cause(
        name="gradient-changed",
        title="a backward changes the gradient that it is given",
        patterns=(r"Found an input to the backward that was mutated during the backward",),
        why="Compiled backwards have to leave their inputs as they are. A Triton kernel counts when torch takes it to "
        "write to the gradient.",
        fix="Clone the gradient at the beginning of the backward.",
        unseen=GRADIENTS,
        symptom="compile-error",
        source="pytorch#119348",
    ),
    Cause(
        name="attribute-of-a-tensor",
        title="a tensor lacks, while it is traced, an attribute that the code asks for",
        patterns=(r"'(?:FakeTensor|FunctionalTensor)' object has no attribute '\w+'",),
        why="Tracing puts plain tensors without data in the place of others. What was set on a tensor (x.flag = 1), "
        "and what a subclass has (quantized weights), is not on them.",
        fix="Keep such things in the module instead of on the tensor; take weights of torchao apart before the export "
        "(torchao.utils.unwrap_tensor_subclass).",
        unseen="Attributes that code puts on tensors are not followed into an export.",
        symptom="export-error",
        source="run on torch 2.13 (CPU); pytorch#140943",
    ),
    Cause(
        name="cannot-be-saved",
        title="the program holds something that cannot be written to a file",
        patterns=(
            r"SerializeError: (?:Unsupported (?:argument|list/tuple argument)|Failed serializing node"
            r"|Unable to serialize|Serializing .* is not supported)",
            r"RuntimeError: Unsupported constant type: ",
            r"SerializeError: (?:Failed to serialize custom metadata|Unsupported getattr attribute|Dict keys must be"
            r"|Serialize list output with type|Unhandled constant input)",
        ),
        why="Arguments and constants of a program are tensors, numbers, texts, dtypes and lists of them; the message "
        "names the class, or the dtype, that the format of this torch has no place for. AOTInductor writes the calls "
        "of custom operators the same way.",
        fix="Give the operator tensors and numbers instead, keep the object outside of the program, or add def_pickle "
        "to a C++ class.",
        unseen="Which values a format has a place for differs by release; rules know it of classes of "
        "inputs and outputs alone (AOTI222).",
        symptom="export-error",
        source="run on torch 2.13 (CPU); pytorch#147283, pytorch#179433, pytorch#179870",
    ),
    Cause(
        name="class-half-registered",
        title="a class of inputs or outputs is registered with pytree, without what an export or a file needs",
        patterns=(
            r"Did not find a flatten_with_keys_fn for type",
            r"No registered serialization name for <class",
            r"Can't serialize TreeSpec of namedtuple class",
            r"Serializing <class '[^']+'> in pytree is not registered",
        ),
        why="torch.export names the parts of an input by their keys, and a saved program names the class.",
        fix='Register it with both: register_pytree_node(Batch, flatten, unflatten, serialized_type_name="mine.Batch", '
        "flatten_with_keys_fn=...), or make it a dataclass and use torch.export.register_dataclass(Batch, "
        'serialized_type_name="mine.Batch").',
        rules=("AOTI222", "AOTI317"),
        symptom="export-error",
        source="run on torch 2.13 (CPU)",
    ),
    Cause(
        name="model-made-of-fakes",
        title="the model was made under a FakeTensorMode of its own, which export cannot take over",
        patterns=(r"Detected fake_mode does not have a shape_env with tracked fakes",),
        why="Its parameters are fake tensors of that mode.",
        fix="Make the mode with torch._subclasses.FakeTensorMode(shape_env=ShapeEnv(tracked_fakes=[])), or use "
        'torch.device("meta").',
        unseen=BY_RELEASE,
        symptom="export-error",
        source="torch 2.13, _export/non_strict_utils.py:472",
    ),
    Cause(
        name="not-core-aten",
        title="the program has an operator that its reader does not take (Core ATen)",
        patterns=(r"is not in Core ATen opset", r"SpecViolationError: Operator \S+ is not Aten Canonical"),
        why="Runtimes take a small set of operators. Random ones (bernoulli, uniform, dropout) are left from training "
        "mode; others have no decomposition.",
        fix="Call model.eval() before the export and program.run_decompositions() after it; what is left goes into the "
        "runtime's list of exceptions, if it has a kernel.",
        rules=("AOTI701",),
        symptom="export-error",
        source="pytorch#158113, executorch#3832",
    ),
    Cause(
        name="no-out-variant",
        title="ExecuTorch knows no out variant of an operator in the program",
        patterns=(r"Missing out variants: \{",),
        why="Its memory is planned, so every operator has to write into memory that is given to it.",
        fix="Register op.out beside a custom operator and load its library before to_executorch(); write others with "
        "operators that have one.",
        unseen="Which variants are there, ExecuTorch knows once the program is lowered.",
        symptom="export-error",
        source="executorch#5068, executorch#1577",
    ),
    Cause(
        name="program-invalid",
        title="the graph of the program is not valid, or does not fit its signature",
        patterns=(),
        placed=((r"SpecViolationError: ", r"\A(?![\s\S]*\btorch\.export\.load\(|[\s\S]*\bin deserialize\b)"),),
        why="Passes and edits of the graph have to keep its inputs and outputs, their names and what each node holds "
        "(meta['val']); the message names the node. Where you edit nothing, a step of torch did it.",
        fix="Change graphs by passes that return the whole program, or replace node names in graph_signature too. If "
        "no pass of yours ran, report it with the node's name.",
        unseen="What a pass does to a graph is known once it has run.",
        symptom="export-error",
        level=Level.EFFECT,
        source="run on torch 2.13 (CPU)",
    ),
    Cause(
        name="weight-in-a-list",
        title="a strict export met a weight that the model keeps in a plain list or dict",
        patterns=(r"KeyError: '(?:L__)?self___\w+'",),
        why="A module has as parameters what its attributes are, not what stands in a plain list, tuple or dict.",
        fix="Keep layers in torch.nn.ModuleList or ModuleDict, parameters in ParameterList or ParameterDict.",
        rules=("AOTI721",),
        symptom="export-error",
        source="run on torch 2.13",
    ),
    Cause(
        name="compiled-names",
        title="weights carry the prefix _orig_mod. of a compiled module",
        patterns=(r"(?:key\(s\) in state_dict|Constant not found|KeyError): .*_orig_mod\.",),
        why="torch.compile(model) wraps the module, and its state_dict and exports have the wrapper's names.",
        fix="Save or export the model itself, or model._orig_mod; to read old files, strip the prefix from the keys.",
        rules=("AOTI708",),
        symptom="load-error",
    ),
)
