"""JSON and TOML of strangers: what cannot be read raises `Malformed`, whatever the parser makes of it.

The parsers of Python raise `RecursionError` for what is nested too deeply, and a bare `ValueError` for a number of
thousands of digits, or take hours for it.
"""

from __future__ import annotations

import re
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

MAX_DIGITS = 4300
"""Of a number: what Python itself allows since 3.10.7."""
_LONG_KEY = re.compile(r"(?:[\w \t\"'-]{0,80}\.){100}")
"""A key of a hundred parts, for which the TOML parser takes time with their square."""


class Malformed(ValueError):
    """What the text is not; the message goes on from "it is" or "this is"."""


def parse_json(text: str | bytes, pairs: Callable[[list[tuple[str, Any]]], Any] | None = None) -> Any:
    """The value that JSON text says; bytes are UTF-8, with or without a byte order mark.

    `pairs` makes the objects, and may raise `ValueError` with what is wrong with one. Raises `Malformed`.
    """
    import json

    try:
        decoded = text.decode("utf-8-sig") if isinstance(text, bytes) else text
        return json.loads(decoded, object_pairs_hook=pairs, parse_int=_INTEGER)
    except UnicodeDecodeError as error:
        raise Malformed(f"no UTF-8 text: byte 0x{error.object[error.start]:02x} at {error.start}") from None
    except RecursionError:
        raise Malformed("nested too deeply to be read") from None
    except json.JSONDecodeError as error:
        raise Malformed(f"no valid JSON: {error}") from None
    except ValueError as error:
        raise Malformed(f"no valid JSON: {_short(error)}") from None


def parse_toml(data: str | bytes) -> dict[str, Any]:
    """The table that TOML text says. Raises `Malformed`."""
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    try:
        text = data.decode("utf-8") if isinstance(data, bytes) else data
        if (long := _LONG_KEY.search(text)) is not None:
            row = text.count("\n", 0, long.start()) + 1
            raise Malformed(f"no valid TOML: a key of more than 100 parts (at line {row})")
        table: dict[str, Any] = tomllib.loads(text)
        return table
    except RecursionError:
        raise Malformed("nested too deeply to be read") from None
    except Malformed:
        raise
    except ValueError as error:
        raise Malformed(f"no valid TOML: {_short(error)}") from None


def _short(error: ValueError) -> str:
    # Python says how to lift the limit, which nobody here can.
    return f"a number of more than {MAX_DIGITS} digits" if "int_max_str_digits" in str(error) else str(error)


def _integer(digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        raise ValueError(f"a number of more than {MAX_DIGITS} digits")
    return int(digits)


_INTEGER = None if hasattr(sys, "get_int_max_str_digits") else _integer
