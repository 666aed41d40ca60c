"""What a text given to an environment variable does, for each way in which torch reads such texts.

The ways ("how"), with what "words" holds:

- "equals": on for the words, off for every other text (`== "1"`); "equals in any case": upper and lower case are one.
- "differs": off for the words, on for every other text (`!= "0"`).
- "differs at the start": off for a text that begins with one of the words, on for every other, also the empty one.
- "switch": "1" is on, "0" is off, every other text is as if the variable were not set.
- "switch or text": the same, but every other text is kept as it is (Python takes it as true, but for the empty one).
- "presence": on for every text, also the empty one; "truthy": on for every text that is not empty.
- "int", "float": a number, or one of the words in any case; other text raises.
- "number": a number; what other text does is not settled.
- "flag": "1" is on, "0" is off; what other text does is not settled.
- "words": compared with several words, which each mean something of their own.
- "text": anything else.
"""

from __future__ import annotations

from typing import Literal

Meaning = Literal["on", "off", "ignored", "raises", "number", "text", "unknown"]
"""What a text does: it turns something on or off, counts as if the variable were not set ("ignored"), makes the place
that reads it raise, is taken as a number or kept as a text, or that cannot be told."""


_OTHERWISE: dict[str, Meaning] = {"switch": "ignored", "switch or text": "text", "flag": "unknown"}


def meaning(how: str, words: tuple[str, ...], value: str) -> Meaning:
    """What `value` does at a place that understands texts in the way `how`."""
    if how == "equals":
        return "on" if value in words else "off"
    if how == "equals in any case":
        return "on" if value.lower() in {word.lower() for word in words} else "off"
    if how == "differs":
        return "off" if value in words else "on"
    if how == "differs at the start":
        return "off" if value.startswith(words) else "on"
    if how in _OTHERWISE:
        known: dict[str, Meaning] = {"1": "on", "0": "off"}
        return known.get(value, _OTHERWISE[how])
    if how == "presence":
        return "on"
    if how == "truthy":
        return "on" if value else "off"
    if how in ("int", "float", "number"):
        return _number(how, words, value)
    return "text" if how == "text" else "unknown"


def _number(how: str, words: tuple[str, ...], value: str) -> Meaning:
    if value.lower() in {word.lower() for word in words}:
        return "text"
    try:
        if how == "float":
            float(value)
        else:
            int(value)
    except ValueError:
        return "unknown" if how == "number" else "raises"
    return "number"
