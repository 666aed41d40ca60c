"""An exported program that is in memory, read by way of the text torch would save it as.

So a live program and the file it is saved to give the same facts. Needs torch, and runs its serialiser: no model is
run, and no weights are copied from torch 2.9 on (before, torch has no way to leave them out).
"""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING

from aoti_lint.program import facts
from aoti_lint.program.container.texts import parse_json
from aoti_lint.program.errors import Unreadable
from aoti_lint.program.exported.exported import Payload, read_program

if TYPE_CHECKING:
    from torch import Tensor
    from torch.export import ExportedProgram

_LEFT_OUT = ("serialize_state_dict", "serialize_constants", "serialize_example_inputs")


def inspect_program(program: ExportedProgram, name: str = "model") -> facts.Program:
    """What `program` says.

    Raises `Unreadable` when torch cannot serialise it (it could not be saved either), and `TypeError` when it is no
    `ExportedProgram`.
    """
    from torch.export import ExportedProgram

    if not isinstance(program, ExportedProgram):
        raise TypeError(
            f"this takes an ExportedProgram, which torch.export.export gives, not a {type(program).__name__}"
        )
    return read_program(
        parse_json(_serialised(program), name),
        name,
        payloads=_payloads(program),
        example_inputs=program.example_inputs is not None,
    )


def inspect_live(program: ExportedProgram, name: str = "model") -> facts.Archive:
    """The same as the archive it would be, for what judges archives."""
    found = inspect_program(program, name)
    return facts.Archive(file=f"<{name}>", kind="live program", bytes=0, programs=(found,))


def _serialised(program: ExportedProgram) -> bytes:
    from torch._export.serde import serialize as serde

    known = inspect.signature(serde.serialize).parameters
    try:
        artifact = serde.serialize(program, **{key: False for key in _LEFT_OUT if key in known})
    except Exception as error:
        # The serialiser raises whatever it meets; all of it means that torch cannot write this program.
        reason = (str(error).strip() or type(error).__name__).splitlines()[0]
        raise Unreadable(f"torch cannot serialise this program: {reason}") from error
    text: bytes = artifact.exported_program
    return text


def _payloads(program: ExportedProgram) -> dict[str, Payload]:
    """What the weights configuration of an archive would say: sizes, and which weights are one storage."""
    import torch

    tensors = (*program.state_dict.items(), *program.constants.items())
    return {
        name: Payload(_described(tensor), _same(tensor))
        for name, tensor in tensors
        if type(tensor) in (torch.Tensor, torch.nn.Parameter) and tensor.layout == torch.strided
    }


def _described(tensor: Tensor) -> facts.Tensor:
    return facts.Tensor(
        dtype=str(tensor.dtype).removeprefix("torch."),
        shape=tuple(map(int, tensor.shape)),
        strides=tuple(map(int, tensor.stride())),
        device=str(tensor.device),
        requires_grad=tensor.requires_grad,
    )


def _same(tensor: Tensor) -> object:
    """The elements a tensor has, by the memory they lie in."""
    address = tensor.untyped_storage().data_ptr() if tensor.numel() else 0
    return address or id(tensor), tensor.dtype, tensor.shape, tensor.stride(), tensor.storage_offset()
