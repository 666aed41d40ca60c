"""Images of Pillow and OpenCV, as far as they become arrays: bytes in rows of height, width and colours.

Run with Pillow 13.0 and OpenCV 5.0 on numpy 2.4.
"""

from __future__ import annotations

from aoti_lint.language.data import containers
from aoti_lint.language.tools import opaque, slot
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.tables import function, method
from aoti_lint.models.tensors.arrays import dtype_of, in_rows, is_array, shape_of
from aoti_lint.models.tensors.sizes import Shape, size, some
from aoti_lint.values.call import Call
from aoti_lint.values.values import NONE, Const, Obj, Ref, Value

PICTURE = "PIL.Image.Image"
BYTE = "torch.uint8"
COLOURS = {"RGB": 3, "RGBA": 4, "CMYK": 4, "YCbCr": 3, "HSV": 3, "LAB": 3}
"""Modes of Pillow with several bytes a pixel; `L` has one, and no dimension for it."""
TURNED = frozenset({"cv2.COLOR_BGR2RGB", "cv2.COLOR_RGB2BGR"})
"""Conversions of OpenCV that leave as many colours as there were."""


def _picture(m: Machine, size_: Value, mode: Value) -> Value:
    made = opaque(m, PICTURE)
    m.store.write(made.ident, "#size", size_)
    m.store.write(made.ident, "#mode", mode)
    return made


@function("PIL.Image.open")
def _open(m: Machine, call: Call) -> Value:
    return _picture(m, NONE, NONE)


@method(PICTURE, "convert")
def _convert(m: Machine, call: Call, receiver: Value) -> Value:
    assert isinstance(receiver, Obj)
    return _picture(m, slot(m, receiver, "#size"), m.see(call.arg(0, "mode") or NONE))


@method(PICTURE, "resize")
def _resize(m: Machine, call: Call, receiver: Value) -> Value:
    assert isinstance(receiver, Obj)
    return _picture(m, m.see(call.arg(0, "size") or NONE), slot(m, receiver, "#mode"))


def is_picture(value: Value) -> bool:
    return isinstance(value, Obj) and value.cls == Ref(PICTURE)


def layout(m: Machine, picture: Value) -> tuple[Shape | None, str | None]:
    """Shape and dtype of the array that an image of Pillow becomes."""
    assert isinstance(picture, Obj)
    mode = slot(m, picture, "#mode")
    known = mode.value if isinstance(mode, Const) and isinstance(mode.value, str) else ""
    if known not in COLOURS and known != "L":
        return None, None
    rows = _rows(m, slot(m, picture, "#size"))
    return (*rows, *([Const(COLOURS[known])] if known in COLOURS else [])), BYTE


def _rows(m: Machine, given: Value) -> tuple[Value, Value]:
    """Height and width, of which the width is given first."""
    items = containers.items_of(m, given) if given != NONE else None
    if items is None or len(items) != 2:
        return some(m, "the height of an image"), some(m, "the width of an image")
    return size(m, items[1]), size(m, items[0])


@function("cv2.imread")
def _imread(m: Machine, call: Call) -> Value:
    colours = not call.open and call.arg(1, "flags") in (None, Ref("cv2.IMREAD_COLOR"), Const(1))
    return in_rows(m, call, (*_rows(m, NONE), Const(3)) if colours else None, BYTE if colours else None)


@function("cv2.cvtColor")
def _cvt_color(m: Machine, call: Call) -> Value:
    image, code = m.see(call.arg(0, "src") or NONE), m.see(call.arg(1, "code") or NONE)
    if not is_array(image):
        return some(m, "an image")
    same = not call.open and isinstance(code, Ref) and code.name in TURNED
    return in_rows(m, call, shape_of(m, image) if same else None, dtype_of(m, image))


@function("cv2.resize")
def _cv_resize(m: Machine, call: Call) -> Value:
    image = m.see(call.arg(0, "src") or NONE)
    if not is_array(image):
        return some(m, "an image")
    shape = shape_of(m, image)
    wanted = m.see(call.arg(1, "dsize") or NONE)
    plain = shape is not None and len(shape) == 3 and shape[2] == Const(3) and not call.open
    return in_rows(m, call, (*_rows(m, wanted), shape[2]) if plain and shape is not None else None, dtype_of(m, image))
