"""The functions of torch whose calls are the places that matter."""

from __future__ import annotations

from aoti_lint.models.export.export import EXPORTS

KINDS = ("export", "compile", "package", "load", "call", "op", "fake")
"""Kinds of places, in the order in which a program goes through them."""
ASPECTS: dict[str, tuple[str, ...]] = {
    "export": ("model", "forward", "inputs", "device", "dims"),
    "compile": ("program", "device", "file", "settings"),
    "package": ("content", "file"),
    "load": ("file", "maker", "device"),
    "call": ("program", "examples", "inputs", "device"),
    "op": ("name", "schema", "kernel", "fake"),
    "fake": ("op", "body"),
}
"""What there is to know at each."""

LOADERS = (
    "torch._inductor.aoti_load_package", "torch.export.pt2_archive._package.load_package",
    "torch._inductor.package.load_package", "torch._inductor.package.package.load_package",
    "torch._C._aoti.AOTIModelPackageLoader", "torch._export.aot_load",
    *(f"torch._C._aoti.AOTIModelContainerRunner{kind}" for kind in ("Cpu", "Cuda", "Xpu", "Mps")),
)  # fmt: skip
DEFINERS = (
    "torch.library.custom_op", "torch._library.custom_ops.custom_op", "torch.library.triton_op",
    "torch._library.triton.triton_op", "torch._library.triton_op", "torch._custom_ops.custom_op",
    "torch._custom_op.impl.custom_op",
)  # fmt: skip
ONNX = "torch.onnx.export"
"""Matters with `dynamo=True` only, which need not be said from release 2.9 on."""
KERNELS = ("torch.library.register_kernel", "torch.library.impl", "torch._custom_ops.impl")
"""Matter for the key `Meta` only, whose kernel is a fake."""
LIBRARIES = ("torch.library.Library", "torch.library._scoped_library")
PROGRAM_LOADER = "torch.export.load"

APIS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys((*EXPORTS, "torch._export.capture_pre_autograd_graph"), ("export",)),
    "torch._export.aot_compile": ("export", "compile"),
    **dict.fromkeys(("torch._inductor.aoti_compile_and_package", "torch._inductor.aot_compile"), ("compile",)),
    **dict.fromkeys(
        ("torch._inductor.package.package_aoti", "torch._inductor.package.package.package_aoti",
         "torch.export.pt2_archive._package.package_pt2", "torch.export.save"), ("package",)
    ),
    **dict.fromkeys((*LOADERS, PROGRAM_LOADER), ("load",)),
    **dict.fromkeys((*DEFINERS, "torch.library.define"), ("op",)),
    **dict.fromkeys(
        ("torch.library.register_fake", "torch.library.impl_abstract", "torch._library.fake_impl.register_fake",
         "torch._custom_ops.impl_abstract"), ("fake",)
    ),
}  # fmt: skip
"""The kinds of place that a call of each is."""
HOLDS: dict[str, str] = {
    **dict.fromkeys((*EXPORTS, PROGRAM_LOADER), "program"),
    "torch._export.capture_pre_autograd_graph": "module",
    **dict.fromkeys(LOADERS, "loaded"),
    **dict.fromkeys(LIBRARIES, "library"),
    **dict.fromkeys(DEFINERS, "op"),
}
"""What a call of each gives: an exported `program`, what it `loaded`, a `library`, an `op`; `module` is callable."""
