"""Bytes that tell, before any parse, whether a file can matter.

Two classes: a file is *interesting* when it speaks of exporting, compiling, packaging or custom operators itself; it is
a *context* file when it may hold what a finding depends on (the fake of an operator, a loader in another language).
Everything else is read only when an interesting file imports it.
"""

from __future__ import annotations

TORCH = b"torch"
PACKAGE = b".pt2"

# Chosen to survive aliases: `import torch as t; t.export.export(…)` holds no "torch.export".
INTERESTING = (
    b"export", b"aoti", b"aot_", b"_inductor", b"_dynamo", b"_functorch", b"library", b"custom_op",
    b"register_fake", b"dynamic_dim", b"compile", b"cpp_extension", b".cond(", b".while_loop(", b"_higher_order_ops",
    b"flex_attention", b"set_logs", PACKAGE,
)  # fmt: skip
# Variables that torch reads, which a file may set that never names torch itself.
VARIABLES = (b"TORCH_", b"TORCHINDUCTOR_", b"TORCHDYNAMO_", b"AOT_INDUCTOR_", b"AOTINDUCTOR_", b"AOTI_")

# Registrations in C++.
NATIVE = (b"TORCH_LIBRARY", b"RegisterOperators")
# What loads packages and libraries in C++.
LOADERS = (b"AOTIModelPackageLoader", b"AOTIModelContainerRunner")
SCRIPTED = b"jit::load"

CONTEXT = (
    *NATIVE,
    *LOADERS,
    SCRIPTED,
    b"torch.save",
    b"register_fake",
    b"impl_abstract",
    b"custom_op",
    b"torch.library",
    b"aoti_",
    b"aot_compile",
    b"aot_load",
    b"load_package",
)


def interesting(data: bytes) -> bool:
    """Whether the bytes of a Python file or notebook hold something the rules or the interpreter speak of."""
    if TORCH in data and any(needle in data for needle in INTERESTING):
        return True
    return b"environ" in data and any(needle in data for needle in VARIABLES)


def registers(data: bytes) -> bool:
    """Whether the bytes of a C++ file may register an op."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):  # UTF-16
        data = data.replace(b"\0", b"")
    return any(needle in data for needle in NATIVE)


def is_about_models(data: bytes) -> bool:
    """Whether the bytes of a C++ file may register an op, or load what a script compiles."""
    return registers(data) or any(needle in data for needle in (*LOADERS, SCRIPTED))


def is_context(data: bytes) -> bool:
    """Whether the bytes of a file, in any language, may hold what a finding depends on."""
    return any(needle in data for needle in CONTEXT)


def may_suppress(data: bytes) -> bool:
    """Whether the bytes of a file may hold a suppression comment of ours."""
    return b"aoti-lint" in data or b"AOTI" in data
