"""What torch says when something goes wrong: literal parts of its messages, since when, and which rules speak of them.

The releases lie in `messages.json`, made by `scripts/make_torch_messages.py` from the Python sources. Messages that
C++ gives are not there: nobody asked each release for them.
"""

from __future__ import annotations

import json
import os
from functools import cache
from typing import Any

from aoti_lint.lazily.dataclass import dataclass
from aoti_lint.torch_api.versions import VersionSet

SHORTEST = 12
"""Letters of a text that is looked for in messages."""


@dataclass(frozen=True, slots=True)
class Message:
    """A part of a message as it stands in torch's sources, and the codes of the rules that find its cause."""

    text: str
    rules: tuple[str, ...]


MESSAGES: tuple[Message, ...] = (
    # Exporting
    Message("Expecting `args` to be a tuple of example positional inputs, got ", ("AOTI214",)),
    Message("Exporting a ScriptModule is not supported", ("AOTI215",)),
    Message("to be an instance of `torch.nn.Module`, got ", ("AOTI215",)),
    Message("The 'ep' parameter must be an instance of 'ExportedProgram', got '", ("AOTI204",)),
    Message("Unable to call ExportedProgram directly.", ("AOTI216",)),
    Message("There was no fake impl registered for ", ("AOTI401",)),
    Message("We ran into an error when deserializing the saved file. ", ("AOTI616", "AOTI608")),
    Message(" does not match our current schema version ", ("AOTI608",)),
    Message("Guard failed: ", ("AOTI604", "AOTI612", "AOTI301")),
    Message("your code specialized it to be a constant", ("AOTI302",)),
    # Compiling
    Message("Only ExportedProgram is supported", ("AOTI204",)),
    Message("Expect package path to be a file ending in .pt2, is None, or is a buffer.", ("AOTI207", "AOTI208")),
    Message("Please pass in a package path to aot_inductor_compile() instead of setting ", ("AOTI210",)),
    Message("The output path for aot_compile should not have an extension with .pt2", ("AOTI210",)),
    Message("You no longer need to specify args/kwargs to aoti_compile_and_package", ("AOTI206",)),
    Message("exported_program.example_inputs is required to be set in order for AOTInductor", ("AOTI607",)),
    Message("AOTInductor only supports running on one CUDA device", ("AOTI603",)),
    Message("Loading outdated pt2 file. Please regenerate your package.", ("AOTI616", "AOTI212")),
    Message("Expected aoti_files to be a dict, but got ", ("AOTI211",)),
    Message(" is being deprecated, please switch to ", ("AOTI201",)),
    # Settings and torch.compile
    Message("Either mode or options can be specified, but both can't be specified at the same time.", ("AOTI512",)),
    Message("Unexpected optimization option ", ("AOTI510",)),
    Message("Unexpected type of attr ", ("AOTI511",)),
    Message("Unrecognized mode=", ("AOTI512",)),
    Message("Invalid backend: ", ("AOTI512",)),
    Message("repro_after must be 'dynamo', 'aot', or None, got ", ("AOTI504",)),
    Message("To prevent overwriting, clone the tensor outside of torch.compile() ", ("AOTI514",)),
)  # fmt: skip


@cache
def _data() -> Any:
    with open(os.path.join(os.path.dirname(__file__), "messages.json"), encoding="utf-8") as file:
        return json.load(file)


def versions(message: Message) -> VersionSet:
    """The minors whose sources have the text."""
    span = _data()["messages"][message.text]
    return VersionSet.parse(span) if span else VersionSet()


def said(words: str) -> list[Message]:
    """The messages that a text quotes, or that quote it, in the order of `MESSAGES`; none for a text too short."""
    words = words.strip()
    if len(words) < SHORTEST:
        return []
    return [message for message in MESSAGES if message.text.strip() in words or words in message.text]
