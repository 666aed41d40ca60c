"""Finds the state dict in what was saved: people save it bare, or in a checkpoint beside the optimizer's."""

from __future__ import annotations

from aoti_lint.program.errors import Unreadable
from aoti_lint.program.weights.naming import clean, quoted
from aoti_lint.program.weights.values import Dict, Global, Opaque, SavedTensor, Value

WRAPPERS = ("state_dict", "model_state_dict", "model_state", "model", "module", "net", "network", "weights", "params",
            "ema_state_dict", "model_ema", "ema")  # fmt: skip
"""Keys of checkpoints that hold the model's state dict, the likeliest first."""

MAX_DEPTH = 4


def find_state(top: Value, name: str) -> tuple[Dict, tuple[str, ...]]:
    """The state dict, and the keys that lead to it. Raises Unreadable if there is none, or no telling which it is."""
    way: list[str] = []
    state = top
    while isinstance(state, Dict) and len(way) < MAX_DEPTH:
        inner = {
            key: value
            for key, value in state.items.items()
            if isinstance(key, str) and isinstance(value, Dict) and _promising(value)
        }
        known = [key for key in WRAPPERS if key in inner]
        if _has_tensors(state) and not known:
            break
        if not inner:
            break
        if not known and len(inner) > 1:
            keys = ", ".join(quoted(key) for key in list(inner)[:5])
            raise Unreadable(
                f"{name} holds several dicts that could be the state dict ({keys}). Save the one you mean by itself: "
                "torch.save(checkpoint[key], file)"
            )
        way.append(known[0] if known else next(iter(inner)))
        state = inner[way[-1]]
    if not isinstance(state, Dict):
        raise Unreadable(_not_a_state(state, name))
    if state.items and not _has_tensors(state):
        raise Unreadable(f"{name} holds a dict without tensors (keys {_keys(state)}), not a state dict")
    return state, tuple(clean(key) for key in way)


def _has_tensors(found: Dict) -> bool:
    return any(isinstance(value, SavedTensor) for value in found.items.values())


def _promising(found: Dict) -> bool:
    """It has tensors, or a wrapper's key with a dict in it."""
    return _has_tensors(found) or any(isinstance(found.items.get(key), Dict) for key in WRAPPERS)


def _keys(found: Dict) -> str:
    keys = [quoted(key) if isinstance(key, str) else str(key)[:40] for key in list(found.items)[:3]]
    return ", ".join(keys) + (", …" if len(found.items) > 3 else "")


def _not_a_state(value: Value, name: str) -> str:
    if isinstance(value, SavedTensor):
        return f"{name} holds one tensor without a name, not a state dict"
    if isinstance(value, (Opaque, Global)):
        what = value.what if isinstance(value, Opaque) else value.path
        advice = (
            ". If that is the whole model: torch.save(model.state_dict(), new_file), where its code is at hand"
            if what.startswith("an object of ")
            else ""
        )
        return f"{name} holds {clean(what[:200])}, not a state dict{advice}"
    return f"{name} holds a value of type {type(value).__name__}, not a state dict"
