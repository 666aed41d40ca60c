"""What a model has, and the module of its exported program has not."""

from __future__ import annotations

from aoti_lint.language import access
from aoti_lint.language.classes.modules import is_module
from aoti_lint.machine.machine import Machine
from aoti_lint.values.values import Class, Const, Func, Obj, Value

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


def left_out(m: Machine, model: Value) -> frozenset[str]:
    """Methods of the project's own classes, and attributes that are numbers or texts.

    Parameters, buffers and tensors are kept, and modules that hold any.
    """
    if not isinstance(model, Obj) or not isinstance(model.cls, Class) or not is_module(m, model):
        return frozenset()
    held = [(slot, m.see(value)) for slot, value in m.store.slots(model.ident)]
    own = {slot for slot, value in held if isinstance(value, Const) and value.value is not None}
    # An object's attribute hides what its class has of that name.
    hidden = {slot for slot, _ in held} - own
    found = set(own)
    for cls in access.ancestors(m, model.cls):
        if isinstance(cls, Class):
            members = [(slot, m.see(value)) for slot, value in m.store.slots(cls.ident)]
            found |= {slot for slot, value in members if isinstance(value, Func)}
    return frozenset(one for one in found - hidden if one[0] not in "#_" and one not in OF_GRAPH_MODULES)
