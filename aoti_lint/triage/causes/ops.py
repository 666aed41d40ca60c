"""Custom operators: schemas, registrations, fakes and kernels."""

from __future__ import annotations

from aoti_lint.triage.cause import GRADIENTS, OBJECTS, Cause, Level, innermost, last_line

_PROBE = "Run `aoti-lint probe MODULE` on the module that registers the operators."

CAUSES: tuple[Cause, ...] = (
    Cause(
        name="custom-op-without-fake",
        title="a custom operator has no fake (meta) function",
        patterns=(
            r"There was no fake impl registered for",
            r"UnsupportedOperatorException: (\S+)",
            r"fake impl or Meta kernel registered",
            r"Could not run '(?!aten::)[\w:.]+' with arguments from the 'Meta' backend",
            r"we cannot infer a Fake kernel \(meta kernel\) for operator",
        ),
        why="Export and compile run the model with tensors that have no data; the operator has to say what it returns.",
        fix="@the_op.register_fake (or torch.library.register_fake) with a function that gives x.new_empty(sizes).",
        rules=("AOTI401",),
        symptom="export-error",
    ),
    Cause(
        name="sizes-that-differ",
        title="sizes that the program takes to be the same differ",
        patterns=(
            r"RuntimeError: expected size \d+==\d+, stride \d+==\d+ at dim=\d+",
            r"\bexpected ndim \d+ but got \d+",
        ),
        why="Two inputs of one Dim were given different sizes, or the fake of a custom operator promises another shape "
        "than its kernel gives; torch names only the second.",
        fix="Compare the sizes of the inputs first. " + _PROBE,
        rules=("AOTI334", "AOTI404", "AOTI422"),
        symptom="shape-mismatch",
    ),
    Cause(
        name="subclass-under-fake",
        title="a subclass of Tensor or Parameter that is no fake meets fake tensors at an operator",
        patterns=(
            r"Multiple dispatch failed for 'torch\._ops\.[\w.]+'; all __torch_dispatch__ handlers returned "
            r"NotImplemented",
        ),
        why="The mode of fake tensors refuses arguments of classes that it does not know, whatever fake the operator "
        "has (torch 2.13, _subclasses/fake_tensor.py:2598). The weights were not made fake with the inputs.",
        fix="Pass plain tensors to the operator (weight.data, or torch.nn.Parameter itself), or make the weights fake "
        "too: export the module that holds them.",
        unseen="Of which class weights are is decided where they are loaded, and not followed.",
        symptom="export-error",
        source="pytorch#174274",
    ),
    Cause(
        name="script-object-without-python",
        title="an operator that takes a script object has no Python implementation for what is active (autocast)",
        patterns=(r"received a FakeScriptObject input when dispatching",),
        why="While tracing, script objects exist in Python only, and C++ kernels cannot take them.",
        fix="Leave torch.autocast around that operator (torch.autocast(device, enabled=False)), or register a Python "
        "rule: the_op.py_impl(key), torch.library.register_autocast.",
        unseen=OBJECTS,
        symptom="export-error",
        source="pytorch#158414; torch 2.13, _ops.py:1125",
    ),
    Cause(
        name="fake-is-wrong",
        title="the fake of a custom operator promises another shape, dtype or layout than its kernel gives",
        patterns=(
            r"found mismatched tensor metadata: Shapes .* are not equal",
            r"test_faketensor failed with",
            r"Stride mismatch! Strides are",
            r"AssertionError: expected size \d+==\d+, stride \d+==\d+ at dim=\d+",
            r"Real tensor propagation found an? \w[\w ]* mismatch between fake",
        ),
        why="The compiled code allocates and indexes as the fake says.",
        fix="Make the fake return what the kernel does. " + _PROBE,
        rules=("AOTI404", "AOTI405", "AOTI422"),
        symptom="wrong-result",
    ),
    Cause(
        name="heap-corrupted",
        title="memory of the process was overwritten",
        patterns=(
            r"double free or corruption",
            r"malloc\(\): ",
            r"free\(\): invalid",
            r"corrupted (?:size vs|double-linked)",
            r"invalid fastbin entry",
            r"munmap_chunk\(\): invalid pointer",
        ),
        why="Something wrote beyond its buffer, earlier than where this shows. In a package with custom operators it "
        "is "
        "most often a fake that promises a smaller or another tensor than the kernel writes; else an input with other "
        "sizes than compiled, or weights of other shapes.",
        fix=_PROBE + " Then run the package with the input check.",
        rules=("AOTI404", "AOTI405", "AOTI409", "AOTI421"),
        rerun=("AOTI_RUNTIME_CHECK_INPUTS=1", "MALLOC_CHECK_=3", "MALLOC_PERTURB_=165"),
        symptom="segfault",
        level=Level.EFFECT,
    ),
    Cause(
        name="int-for-symint",
        title="the schema of an operator says int where its kernel takes a SymInt, or the reverse",
        patterns=(r"Type mismatch in argument \d+: int vs SymInt",),
        why="Schema and C++ signature have to agree; sizes are SymInt in schemas and c10::SymInt (by value) in C++.",
        fix="Write SymInt in the schema and c10::SymInt in the signature.",
        rules=("AOTI415",),
        symptom="export-error",
        source="pytorch#124645",
    ),
    Cause(
        name="op-returns-its-input",
        title="a custom operator returns one of its inputs or a view of it",
        patterns=(
            r"The output of this custom operator \(1\) must not also be an input",
            r"Dispatcher operators below autograd are not allowed to directly return inputs",
            r"Found a custom \(non-ATen\) operator whose output has alias annotations: .*-> [^.]*\(\w+!?\)",
        ),
        why="The compiled code takes results to be fresh memory.",
        fix="Return a clone, y.clone(), and no (a) at the result in the schema; an argument that is written to need "
        "not be returned.",
        rules=("AOTI408", "AOTI412"),
        symptom="wrong-result",
    ),
    Cause(
        name="undeclared-mutation",
        title="a custom operator changes an argument that it does not declare",
        patterns=(r"Argument \w+ is not defined as mutable but was mutated",),
        why="The compiler may drop or reorder a call that seems to change nothing.",
        fix='Name it: mutates_args=("x",), or Tensor(a!) in the schema.',
        rules=("AOTI413",),
        symptom="wrong-result",
    ),
    Cause(
        name="parameters-of-fake",
        title="the fake of an operator has other parameters than the operator",
        patterns=(r"_?fake\w*\(\) (?:missing \d+ required|takes \d+|got an unexpected)",),
        placed=(
            (r"TypeError: .*\(\) (?:missing \d+ required|takes \d+|got an unexpected)", innermost(r"_library[/\\]")),
        ),
        why="Parameters were added to the operator and not to its fake.",
        fix="Give the fake the parameters of the operator.",
        rules=("AOTI410",),
        symptom="export-error",
        source="sglang#19725",
    ),
    Cause(
        name="op-not-registered",
        title="a custom operator is not registered in the process that loads the program or package",
        patterns=(
            r"Could not find schema for [\w:]+",
            r"We failed to resolve torch\.ops\.\S+ to an operator",
            r"'_OpNamespace' '\w+' object has no attribute '\w+'",
            r"Unable to find a proxy executor to run custom ops",
            r"operator \w+::\w+ does not exist",
        ),
        why="A package calls the operator by name. The module or library that registers it was not loaded first, its "
        "Library object was collected, or the name is misspelt. Python operators cannot be run from a C++ program.",
        fix="Import the module, or torch.ops.load_library(…), before loading; keep Library objects at module level.",
        rules=("AOTI420", "AOTI416", "AOTI418", "AOTI423", "AOTI606"),
        symptom="load-error",
    ),
    Cause(
        name="op-argument-of-package",
        title="the package stores an argument of an operator in another way than the operator's schema here asks for",
        patterns=(
            r"Expected extern kernel \S+ to have serialized argument type \w+ for argument \d+ but got \w+",
            r"Serialized node doesn't match operator",
        ),
        why="The package was compiled with another release of torch or of the library that has the operator; some "
        "releases write a dtype as a number.",
        fix="Compile again with the torch and the library that load. If it stays, give the operator a number or a text "
        "instead of a dtype, and convert it inside.",
        rules=("AOTI608",),
        symptom="load-error",
        source="ao#2690",
    ),
    Cause(
        name="runtime-lacks-operator",
        title="the ExecuTorch runtime was built without an operator or backend that the program needs",
        patterns=(
            r"\] kernel '[\w:.]+' not found\.",
            r"Missing operator: \[\d+\] [\w:]+",
            r"\] Backend \w+ is not registered",
        ),
        why="The program names its operators and backends; the runtime has those that it was linked with.",
        fix="Link the library that has it (portable or optimized kernels, custom kernels, the backend) into the "
        "runtime as a whole, or export without that backend.",
        unseen="What the runtime was built with, no script says.",
        symptom="load-error",
        source="torchchat#662, executorch#13399",
    ),
    Cause(
        name="new-size-unused",
        title="a size or number that was read from data is in no result of the operation that made it",
        patterns=(r"Pending unbacked symbols .* not in returned outputs",),
        why="The fake of a custom operator read data (.item(), int(tensor)) or called new_dynamic_size() once too "
        "often; or, in a strict export without such operators, an operation of torch was given an element of a tensor "
        "as a number (torch.full(size, x[0])).",
        fix="In a fake, call torch.library.get_ctx().new_dynamic_size() once for each size the data decides, and "
        "return tensors of that size. Else export with strict=False, or keep the number a tensor.",
        rules=("AOTI403", "AOTI409"),
        symptom="export-error",
    ),
    Cause(
        name="op-schema",
        title="the definition of a custom operator is incomplete",
        patterns=(
            r"infer_schema\(func\): ",
            r"custom_op\(\) missing 1 required keyword-only argument: 'mutates_args'",
            r"Attempted to create a custom op with `mutates_args=",
            r"(?:custom_op|register_\w+) with kwarg-only Tensor args",
            r'Expected `qualname` to be of the form "namespace::name"',
            r"Schema tagged with torch\.Tag\.\w+ (?:must|requires|only)",
        ),
        placed=((r"ValueError: not enough values to unpack \(expected 2, got 1\)", innermost("_?library")),),
        why="Every parameter needs a type that schemas know, the name needs a namespace, and mutates_args is needed.",
        fix='Write @torch.library.custom_op("mylib::op", mutates_args=()) over a function with annotations.',
        rules=("AOTI414",),
        symptom="export-error",
    ),
    Cause(
        name="op-defined-twice",
        title="an operator or its namespace is defined twice",
        patterns=(
            r"Only a single TORCH_LIBRARY can be used to register the namespace",
            r"Tried to register an operator \(.*\) with the same name and overload name multiple times",
        ),
        why="A namespace has one TORCH_LIBRARY block, or one Library of kind DEF.",
        fix='Use Library(name, "FRAGMENT") or TORCH_LIBRARY_FRAGMENT for further ones.',
        rules=("AOTI417",),
        symptom="load-error",
    ),
    Cause(
        name="kernel-registered-twice",
        title="an operator is given a second kernel or fake where it has one",
        patterns=(
            r"register_fake\(\.\.\.\): the operator \S+ already has an? ",
            r"This is not allowed since there's already a kernel registered from python overriding",
            r"We should not register a meta kernel directly to the operator",
            r"already has a `__torch_dispatch__` rule registered for",
        ),
        why="The module that registers it runs twice (a notebook cell, a reload, two copies of an extension), or "
        "another library has registered one. An operator that is made of others needs none.",
        fix="Register each once, behind a module that is imported; use a namespace of your own.",
        unseen="Mostly a module runs twice in one process, which its source does not show; of two "
        "registrations that stand in the sources no rule speaks yet.",
        symptom="load-error",
        source="torch 2.13, _library/fake_impl.py:49, library.py:423",
    ),
    Cause(
        name="gradients-of-op",
        title="the backward of a custom operator gives another number of gradients than the operator has inputs",
        patterns=(r"returned an incorrect number of gradients",),
        why="A backward returns one value for each input of the operator, None for what has no gradient.",
        fix="Return as many, in the order of the inputs.",
        rules=("AOTI424",),
        symptom="compile-error",
    ),
    Cause(
        name="no-autograd-formula",
        title="an operator that has no gradient is differentiated",
        patterns=(
            r"Trying to backward through \S+ but no autograd formula was registered",
            r"Autograd not implemented for (?:cond|while_loop|scan|map|associative_scan|\S+_op)\b",
        ),
        why="Custom operators have a gradient only if one was registered; some loops have none.",
        fix="Register one, the_op.register_autograd(backward, setup_context=...), or run it under torch.no_grad().",
        unseen=GRADIENTS,
        symptom="compile-error",
    ),
    Cause(
        name="no-fake-class",
        title="a C++ class (TorchBind) has no fake class, or its fake lacks something",
        patterns=(
            r"haven't registered a fake class\. Please use register_fake_class",
            r"Tried to call __[gs]etattr__ with attr '\w+' on a FakeScriptObject",
            r"must define a classmethod \w+ that converts the real object to the fake object",
        ),
        why="While a model is traced, objects of C++ classes are replaced too; methods that forward calls have to be "
        "on the replacement.",
        fix='@torch._library.register_fake_class("ns::Name") over a Python class with those methods and '
        "__obj_unflatten__.",
        unseen=OBJECTS,
        symptom="export-error",
        source="torch 2.13, _library/fake_class_registry.py:482",
    ),
    Cause(
        name="script-object-as-input",
        title="an object of a C++ class is an input of a model that AOTInductor compiles",
        patterns=(r"TorchBind object inputs are not supported in AOTInductor",),
        why="A package takes tensors; such objects travel inside of it.",
        fix="Make it an attribute of the module before the export.",
        unseen=OBJECTS,
        symptom="compile-error",
        source="torch 2.13, _inductor/compile_fx.py:3224",
    ),
    Cause(
        name="no-kernel-for-device",
        title="an operator has no kernel for the device of its inputs",
        patterns=(
            r"Could not run '[\w:.]+' with arguments from the '\w+' backend",
            r"\S has no kernel for the \w+ backend",
            r"\S does not have a kernel registered for \w+\. Please use register_kernel",
        ),
        why="It is registered for another device, or for none. The backend may also be a kind of tensor: Sparse…, "
        "Quantized….",
        fix="Register a kernel for the device of the inputs. For an operator of torch, use another one, or convert "
        "the tensor (to_dense, dequantize) or move it before.",
        rules=("AOTI419",),
        symptom="device-mismatch",
    ),
    Cause(
        name="fake-returns-nothing",
        title="the fake of an operator returns nothing, or another number of tensors",
        patterns=(),
        placed=((r"unsupported operand type\(s\) for \S+ 'NoneType' and", last_line(r"\btorch\.ops\.\w+\.\w")),),
        why="A function without return gives None.",
        fix="Return a tensor for each result of the schema.",
        rules=("AOTI407",),
        symptom="export-error",
        level=Level.EFFECT,
    ),
)
