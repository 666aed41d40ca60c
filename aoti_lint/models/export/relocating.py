"""`move_to_device_pass`: an exported program rewritten for another device."""

from __future__ import annotations

from dataclasses import replace

from aoti_lint.language.data import containers
from aoti_lint.machine.alternatives import lift
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.tables import function
from aoti_lint.models.torch import devices
from aoti_lint.values.call import Call
from aoti_lint.values.choices import choose
from aoti_lint.values.torch_values import Device, LoadedProgram, Program, Tensor
from aoti_lint.values.values import NONE, Choice, Pairs, Tup, Value


@function("torch.export.passes.move_to_device_pass", "torch.export.passes.move_to_device_pass.move_to_device_pass")
def _move_to_device(m: Machine, call: Call) -> Value:
    """The pass rewrites the program for another device: parameters, inputs and constructors."""
    location = m.see(call.arg(1, "location") or NONE)
    pairs = containers.dict_pairs(m, location)
    if pairs is not None:
        moves = tuple((devices.as_device(m, key), devices.as_device(m, value)) for key, value in pairs)
    else:
        moves = ((NONE, devices.as_device(m, location)),)

    def apply(program: Value) -> Value:
        match program:
            case Program():
                return replace(relocate(program, moves), ident=m.fresh())
            case LoadedProgram():
                return replace(program, ident=m.fresh(), moves=(*program.moves, *moves))
            case _:
                return m.unknown(call.node, "a program that was not followed")

    return lift(m, call.arg(0, "ep") or NONE, apply)


def relocate(program: Program, moves: tuple[tuple[Value, Value], ...]) -> Program:
    """The program as `move_to_device_pass` leaves it."""

    def moved(device: Value) -> Value:
        if isinstance(device, Choice):
            return choose(device.cond, moved(device.then), moved(device.other))
        for start, end in moves:
            if start in (NONE, device) or (isinstance(device, Device) and start == Device(device.type)):
                return end
        return device

    def inputs(value: Value) -> Value:
        match value:
            case Tensor():
                return replace(value, device=moved(value.device))
            case Tup(items, fields, cls):
                return Tup(tuple(inputs(i) for i in items), fields, cls)
            case Pairs(held):
                return Pairs(tuple((k, inputs(v)) for k, v in held))
            case _:
                return value

    return replace(program, args=inputs(program.args), kwargs=inputs(program.kwargs), device=moved(program.device))
