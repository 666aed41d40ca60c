"""What to write instead of a torch name that some version lacks: the part no script can read out of the sources.

Each judgement names its source: `release file:line`, with paths below `torch/`. When a name exists is not said here:
the data of `api` say it.
"""

from __future__ import annotations

from aoti_lint.lazily.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Judgement:
    """`advice` is one sentence that says what to write instead.

    `replacement` is the qualified name that takes the place, if one does. `rename` says that it takes the same
    arguments, so that only the name has to change; `same_since` is the oldest minor in which both also mean the same.
    """

    advice: str
    source: str
    replacement: str | None = None
    rename: bool = False
    same_since: str | None = None


_TORCHAO = "it moved to torchao (`pip install torchao`): `torchao.quantization.pt2e{}`"
_DIM = 'use `torch.export.Dim("batch")` and pass it in `dynamic_shapes=` of `torch.export.export`'
_ONNX = "use `torch.onnx.export(model, args, dynamo=True)`"
_PACKAGE = (
    "before torch 2.6 there is `torch._export.aot_compile`, which makes a `.so`, and `torch._export.aot_load` for it"
)

JUDGEMENTS: dict[str, Judgement] = {
    # Exporting
    "torch.export.export_for_training": Judgement(
        "use `torch.export.export`, which gives the same program since torch 2.6",
        "2.9.1 export/__init__.py:59 (deprecation text), 2.6.0 export/_trace.py (rollout check), gone in 2.11.0",
        "torch.export.export",
        rename=True,
        same_since="2.6",
    ),
    "torch.export.export_for_inference": Judgement(
        "use `torch.export.export(...).run_decompositions(decomp_table)`",
        "2.7.1 export/__init__.py: its body is these two calls",
    ),
    "torch._export.capture_pre_autograd_graph": Judgement(
        "use `torch.export.export(model, args).module()`",
        "2.6.0 _export/__init__.py:70 (its warning names export_for_training, since 2.9 the same as export)",
    ),
    "torch._export.export": Judgement(
        "use `torch.export.export`",
        "in none of 2.4.1 to 2.15.0",
        "torch.export.export",
        rename=True,
    ),
    "torch._export.save": Judgement(
        "use `torch.export.save`", "2.4.1 _export/__init__.py:237", "torch.export.save", rename=True, same_since="2.4"
    ),
    "torch._export.load": Judgement(
        "use `torch.export.load`", "2.4.1 _export/__init__.py:271", "torch.export.load", rename=True, same_since="2.4"
    ),
    "torch._export.exported_program": Judgement(
        "use `torch.export.exported_program`", "gone in 2.5.1", "torch.export.exported_program"
    ),
    "torch.export.draft_export": Judgement(
        "in torch 2.6 and 2.7 it is `torch.export._draft_export.draft_export`",
        "2.6.0 export/_draft_export.py:186, 2.8.0 export/__init__.py:534",
    ),
    "torch.export.default_decompositions": Judgement(
        "before torch 2.6 use `torch._decomp.core_aten_decompositions()`",
        "2.6.0 export/exported_program.py:346, 2.4.1 _decomp/__init__.py:254",
        "torch._decomp.core_aten_decompositions",
        rename=True,
    ),
    "torch.export.passes": Judgement(
        "before torch 2.5 export once for each device", "2.5.1 export/passes/__init__.py:11"
    ),
    # Dynamic shapes
    "torch.export.dynamic_dim": Judgement(_DIM, "2.4.1 export/__init__.py:64, gone in 2.5.1"),
    "torch._export.dynamic_dim": Judgement(_DIM, "gone in 2.5.1"),
    "torch.export.dynamic_shapes.dynamic_dim": Judgement(_DIM, "2.4.1 export/dynamic_shapes.py:414, gone in 2.5.1"),
    "torch.export.constrain_as_size": Judgement(
        "state the bounds with `torch._check(n >= 0)` and `torch._check(n <= limit)`", "in none of 2.4.1 to 2.15.0"
    ),
    "torch.export.constrain_as_value": Judgement(
        "state the bounds with `torch._check(low <= n)` and `torch._check(n <= high)`", "in none of 2.4.1 to 2.15.0"
    ),
    "torch.export.Dim.AUTO": Judgement(
        'before torch 2.5 name the dimension: `torch.export.Dim("batch")`', "2.5.1 export/dynamic_shapes.py:236"
    ),
    "torch.export.Dim.STATIC": Judgement(
        "before torch 2.5 write `None` for a static dimension", "2.5.1 export/dynamic_shapes.py:237"
    ),
    "torch.export.Dim.DYNAMIC": Judgement(
        'before torch 2.6 name the dimension: `torch.export.Dim("batch")`', "2.6.0 export/dynamic_shapes.py:240"
    ),
    "torch.export.AdditionalInputs": Judgement(
        "before torch 2.8 give `dynamic_shapes` as a dict or with `torch.export.ShapesCollection`",
        "2.8.0 export/dynamic_shapes.py:796",
    ),
    "torch.fx.experimental.symbolic_shapes.definitely_true": Judgement(
        "use `guard_or_false` (torch 2.8 and later)",
        "2.7.1 fx/experimental/symbolic_shapes.py:1183, 2.8.0 :1387",
        "torch.fx.experimental.symbolic_shapes.guard_or_false",
        rename=True,
    ),
    "torch.fx.experimental.symbolic_shapes.definitely_false": Judgement(
        "use `not guard_or_true(...)` (torch 2.8 and later)", "2.7.1 fx/experimental/symbolic_shapes.py:1209"
    ),
    "torch.fx.experimental.symbolic_shapes.hint_int": Judgement(
        "use `optimization_hint` (torch 2.12 and later)",
        "2.11.0 fx/experimental/symbolic_shapes.py:370, 2.12.1 :154",
        "torch.fx.experimental.symbolic_shapes.optimization_hint",
        rename=True,
    ),
    "torch.fx.experimental.symbolic_shapes.has_hint": Judgement(
        "use `has_guarding_hint` (torch 2.12 and later)",
        "2.11.0 fx/experimental/symbolic_shapes.py:391, 2.12.1 :424",
        "torch.fx.experimental.symbolic_shapes.has_guarding_hint",
        rename=True,
        same_since="2.12",
    ),
    # Compiling and loading
    "torch._inductor.aot_load": Judgement(
        "load a `.pt2` package with `torch._inductor.aoti_load_package(path)`, "
        "and a `.so` of `aot_compile` with `torch._export.aot_load(path, device)`",
        "in none of 2.4.1 to 2.15.0",
        "torch._inductor.aoti_load_package",
    ),
    "torch._inductor.aoti_compile_and_package": Judgement(_PACKAGE, "2.6.0 _inductor/__init__.py:51"),
    "torch._inductor.aoti_load_package": Judgement(_PACKAGE, "2.6.0 _inductor/__init__.py:178"),
    "torch._inductor.package": Judgement(_PACKAGE, "2.5.1 _inductor/package/package.py:193"),
    "torch._inductor.package.pt2_archive_constants": Judgement(
        "use `torch.export.pt2_archive.constants` (torch 2.8 and later)",
        "2.8.0 export/pt2_archive/constants.py",
        "torch.export.pt2_archive.constants",
    ),
    "torch._inductor.standalone_compile": Judgement(
        "before torch 2.8 use `torch._inductor.compile`", "2.8.0 _inductor/__init__.py:375"
    ),
    # Custom ops
    "torch.library.infer_schema": Judgement(
        "in torch 2.4 it is `torch._library.infer_schema.infer_schema`", "2.5.1 library.py:20"
    ),
    "torch.library.triton_op": Judgement(
        "before torch 2.6 wrap the kernel with `torch.library.custom_op` and `register_fake`", "2.6.0 library.py:21"
    ),
    "torch.library.wrap_triton": Judgement(
        "before torch 2.6 call the kernel inside a `torch.library.custom_op`", "2.6.0 library.py:21"
    ),
    "torch._library.abstract_impl": Judgement(
        "use `torch._library.fake_impl`", "gone in 2.5.1", "torch._library.fake_impl"
    ),
    # Quantization and ONNX
    "torch.ao.quantization.quantize_pt2e": Judgement(
        _TORCHAO.format(".quantize_pt2e"), "2.10.0 ao/quantization/utils.py:831, gone in 2.11.0; torchao 0.18.0"
    ),
    "torch.ao.quantization.pt2e": Judgement(
        _TORCHAO.format(""), "2.10.0 ao/quantization/utils.py:831, gone in 2.11.0; torchao 0.18.0"
    ),
    "torch.ao.quantization.quantizer": Judgement(
        f"{_TORCHAO.format('.quantizer')}; that of XNNPACK to executorch",
        "2.10.0 ao/quantization/utils.py:831, gone in 2.11.0; torchao 0.18.0",
    ),
    **{
        f"torch.ao.quantization.{name}": Judgement(_TORCHAO.format(f".{name}"), "gone in 2.11.0; torchao 0.18.0")
        for name in (
            "move_exported_model_to_eval",
            "move_exported_model_to_train",
            "allow_exported_model_train_eval",
        )
    },
    "torch.onnx.dynamo_export": Judgement(_ONNX, "2.8.0 onnx/__init__.py:466, gone in 2.9.1"),
    "torch.onnx.ExportOptions": Judgement(_ONNX, "2.8.0 onnx/__init__.py:446, gone in 2.9.1"),
    "torch.onnx.OnnxRegistry": Judgement(
        "pass `custom_translation_table=` to `torch.onnx.export(model, args, dynamo=True)`",
        "2.7.1 onnx/__init__.py:104, gone in 2.8.0; 2.6.0 has the argument",
    ),
}
