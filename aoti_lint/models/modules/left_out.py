"""What a model has, and the module of its exported program has not."""

from __future__ import annotations

from aoti_lint.language import access
from aoti_lint.language.classes.modules import is_module
from aoti_lint.machine.machine import Machine
from aoti_lint.models.modules import module_parts
from aoti_lint.values.torch_values import Tensor
from aoti_lint.values.values import Class, Const, Func, Obj, Ref, Value

OF_GRAPH_MODULES = frozenset({
    "T_destination", "add_module", "add_submodule", "apply", "bfloat16", "buffers", "call_super_init", "children",
    "code", "compile", "cpu", "cuda", "delete_all_unused_submodules", "delete_submodule", "double", "dump_patches",
    "eval", "extra_repr", "float", "forward", "get_buffer", "get_extra_state", "get_parameter", "get_submodule",
    "graph", "half", "ipu", "load_state_dict", "meta", "modules", "mtia", "named_buffers", "named_children",
    "named_modules", "named_parameters", "parameters", "print_readable", "range_constraints", "recompile",
    "register_backward_hook", "register_buffer", "register_forward_hook", "register_forward_pre_hook",
    "register_full_backward_hook", "register_full_backward_pre_hook", "register_load_state_dict_post_hook",
    "register_load_state_dict_pre_hook", "register_module", "register_parameter", "register_state_dict_post_hook",
    "register_state_dict_pre_hook", "requires_grad_", "set_extra_state", "set_submodule", "shape_env", "share_memory",
    "state_dict", "to", "to_empty", "to_folder", "train", "training", "type", "validate_inputs", "xpu", "zero_grad",
})  # fmt: skip
"""The names that each of these modules has, whatever it was made of (`dir` of one, 2.13)."""


OF_LAYERS = frozenset({
    "in_features", "out_features", "in_channels", "out_channels", "kernel_size", "stride", "padding", "dilation",
    "groups", "padding_mode", "num_embeddings", "embedding_dim", "padding_idx", "normalized_shape", "eps", "momentum",
    "elementwise_affine", "num_features", "affine", "track_running_stats", "num_groups", "num_channels", "input_size",
    "hidden_size", "num_layers", "bidirectional", "batch_first", "embed_dim", "num_heads", "head_dim",
})  # fmt: skip
"""What layers of torch keep of the arguments they are made with."""
MAX_PARTS = 300


def left_out(m: Machine, model: Value) -> tuple[frozenset[str], frozenset[str]]:
    """What the module of a program lacks that its model has, and which parts of the model it has.

    Methods of the project's own classes, attributes that are numbers or texts, and parts without weights are left out.
    Parameters, buffers and tensors are kept, and modules that hold any.
    """
    if not isinstance(model, Obj) or not isinstance(model.cls, Class) or not is_module(m, model):
        return frozenset(), frozenset()
    lacks, parts = _own(m, model, model.cls), set[str]()
    todo = [(f"{name}.", one) for name, one in module_parts.named_children(m, model)]
    lacks |= _without_weights(m, "", model)
    while todo and len(parts) < MAX_PARTS:
        prefix, module = todo.pop()
        if not module_parts.has_weights(m, module):
            continue
        parts.add(prefix[:-1])
        own = OF_LAYERS if isinstance(module.cls, Ref) else set[str]()
        own = _own(m, module, module.cls) if isinstance(module.cls, Class) else own
        lacks |= {f"{prefix}{name}" for name in own} | _without_weights(m, prefix, module)
        todo += [(f"{prefix}{name}.", one) for name, one in module_parts.named_children(m, module)]
    return frozenset(lacks), frozenset(parts)


def _without_weights(m: Machine, prefix: str, module: Obj) -> set[str]:
    """The children of a module that surely have no weights."""
    found = module_parts.named_children(m, module)
    bare = {name for name, one in found if module_parts.device_of(m, one) is None and not _has_tensors(m, one)}
    return {f"{prefix}{name}" for name in bare}


def _has_tensors(m: Machine, module: Obj) -> bool:
    """Whether a module, or one in it, holds a tensor that is no buffer: if forward reads it, the part is there."""
    inside = module_parts.descendants(m, module)
    return inside is None or any(
        isinstance(m.see(value), Tensor)
        for one in inside
        if isinstance(one, Obj)
        for _, value in m.store.slots(one.ident)
    )


def _own(m: Machine, module: Obj, cls: Class) -> set[str]:
    held = [(slot, m.see(value)) for slot, value in m.store.slots(module.ident)]
    own = {slot for slot, value in held if isinstance(value, Const) and value.value is not None}
    # An object's attribute hides what its class has of that name.
    hidden = {slot for slot, _ in held} - own
    found = set(own)
    for one in access.ancestors(m, cls):
        if isinstance(one, Class):
            members = [(slot, m.see(value)) for slot, value in m.store.slots(one.ident)]
            found |= {slot for slot, value in members if isinstance(value, Func)}
    return {one for one in found - hidden if one[0] not in "#_" and one not in OF_GRAPH_MODULES}
