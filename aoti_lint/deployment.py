"""What the configuration says of the machine that models run on, and of what may be released to it.

`[tool.aoti-lint.target]` and `[tool.aoti-lint.package]`. Checked by hand and not by pydantic, as all configuration is:
a run with nothing to do reads it too.
"""

from __future__ import annotations

from aoti_lint.errors import CannotRun, did_you_mean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_UNITS = {"": 1, "B": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9, "KIB": 1 << 10, "MIB": 1 << 20, "GIB": 1 << 30}


class Machine:
    """The machine that compiled models are run on; None and empty are what nobody said.

    `device` is a device type of torch; `platform` ("linux") and `machine` ("x86_64") are in Python's words;
    `cpu_isa` are the vector instructions it has in torch's words ("AVX512"); `compute_capability` is like "90".
    """

    __slots__ = ("compute_capability", "cpu_isa", "device", "machine", "platform")

    def __init__(self) -> None:
        self.device: str | None = None
        self.platform: str | None = None
        self.machine: str | None = None
        self.cpu_isa: list[str] = []
        self.compute_capability: str | None = None

    def state(self) -> list[object]:
        """All that it says, for the memory of runs."""
        return [getattr(self, name) for name in self.__slots__]


class Gate:
    """What an archive must keep to be released; None and empty ask for nothing.

    `architectures` holds machines ("x86_64") and compute capabilities ("90"); `dynamic` the dims ("x.0": the first of
    input x) that must stay dynamic, by patterns of archive paths; `max_size` bytes. `debug_code` False allows none.
    """

    __slots__ = ("architectures", "custom_ops", "debug_code", "device", "dynamic", "max_size")

    def __init__(self) -> None:
        self.device: str | None = None
        self.architectures: list[str] = []
        self.dynamic: dict[str, list[tuple[str, int]]] = {}
        self.debug_code: bool | None = None
        self.max_size: int | None = None
        self.custom_ops: list[str] | None = None

    def state(self) -> list[object]:
        """All that it says, for the memory of runs."""
        return [getattr(self, name) for name in self.__slots__]

    @property
    def asks(self) -> bool:
        """Whether it asks for anything."""
        return any(value not in (None, [], {}, True) for value in self.state()) or self.custom_ops is not None


def read_machine(table: object, where: str) -> Machine:
    """The table `target`. Raises `CannotRun`, naming the place `where`, for what it must not hold."""
    made = Machine()
    for key, value in _entries(table, where, Machine.__slots__):
        if key == "cpu-isa":
            words = value.split() if isinstance(value, str) else value
            if not is_words(words):
                raise CannotRun(f'{where}: cpu-isa must be text such as "AVX2" or a list of texts')
            made.cpu_isa = [word.upper() for word in words]
        elif key == "compute-capability":
            made.compute_capability = capability(value)
            if made.compute_capability is None:
                raise CannotRun(f'{where}: compute-capability must be text such as "9.0" or "sm_90", not {value!r}')
        else:
            setattr(made, key, _word(value, where, key))
    return made


def read_gate(table: object, where: str) -> Gate:
    """The table `package`. Raises `CannotRun`, naming the place `where`, for what it must not hold."""
    made = Gate()
    for key, value in _entries(table, where, Gate.__slots__):
        if key == "device":
            made.device = _word(value, where, key)
        elif key == "debug-code":
            if not isinstance(value, bool):
                raise CannotRun(f"{where}: debug-code must be true or false")
            made.debug_code = value
        elif key == "max-size":
            made.max_size = _size(value, where)
        elif key == "dynamic":
            made.dynamic = _dims(value, where)
        elif not is_words(value):
            raise CannotRun(f"{where}: {key} must be a list of texts, such as {_EXAMPLES[key]}")
        elif key == "architectures":
            made.architectures = [capability(word) or word for word in value]
        else:
            made.custom_ops = [word.replace(".", "::", 1) if "::" not in word else word for word in value]
    return made


_EXAMPLES = {"architectures": '["x86_64", "sm_90"]', "custom-ops": '["mylib::scale", "vision::*"]'}


def capability(value: object) -> str | None:
    """A compute capability as torch writes it into packages: "90" for "9.0", "90" and "sm_90", "gfx90a" as it is."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    word = str(value).lower().removeprefix("sm_").removeprefix("sm").replace(".", "")
    if word.startswith("gfx"):
        return word
    return word if word.rstrip("af").isdecimal() and 2 <= len(word.rstrip("af")) <= 3 else None


_MEANT = {"gpu": "cuda", "nvidia": "cuda", "rocm": "cuda", "hip": "cuda", "metal": "mps"}
"""What people say for the device types of torch."""


def _entries(table: object, where: str, slots: tuple[str, ...]) -> list[tuple[str, Any]]:
    if not isinstance(table, dict):
        raise CannotRun(f"{where} must be a table")
    known = [slot.replace("_", "-") for slot in slots]
    for key in table:
        if key not in known:
            raise CannotRun(f"{where}: there is no setting {key!r}{did_you_mean(key, known)}")
    return list(table.items())


def _word(value: object, where: str, key: str) -> str:
    if not isinstance(value, str) or not value:
        example = {"device": "cuda", "platform": "linux", "machine": "x86_64"}[key]
        raise CannotRun(f'{where}: {key} must be text such as "{example}"')
    meant = _MEANT.get(value.lower()) if key == "device" else None
    if meant is not None:
        raise CannotRun(f"{where}: {key} is a type of torch, {meant!r}, and not {value!r}")
    return value.lower() if key != "machine" else value


def _size(value: object, where: str) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return value
    text = value.replace(" ", "").upper() if isinstance(value, str) else ""
    number = text.rstrip("BGIKM")
    unit = text[len(number) :]
    if unit in _UNITS and number.replace(".", "", 1).isdecimal():
        return int(float(number) * _UNITS[unit])
    raise CannotRun(f'{where}: max-size must be text such as "500MB" or a number of bytes, not {value!r}')


def _dims(value: object, where: str) -> dict[str, list[tuple[str, int]]]:
    if not isinstance(value, dict) or not all(map(is_words, value.values())):
        raise CannotRun(f'{where}: dynamic must be a table of lists, such as {{"*" = ["x.0"]}}')
    found: dict[str, list[tuple[str, int]]] = {}
    for pattern, words in value.items():
        for word in words:
            name, _, dim = word.rpartition(".")
            if not name or not dim.isdecimal():
                raise CannotRun(
                    f'{where}: dynamic of {pattern!r} must name inputs and dimensions, such as "x.0" for the first '
                    f"dimension of x, not {word!r}"
                )
            found.setdefault(pattern, []).append((name, int(dim)))
    return found


def is_words(value: object) -> bool:
    """Whether a setting is a list of texts."""
    return isinstance(value, list) and all(isinstance(word, str) for word in value)
