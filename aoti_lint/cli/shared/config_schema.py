"""The configuration as a model: its JSON Schema, for editors. `aoti_lint.config` reads it, without pydantic.

What a text must look like beyond that (rules, versions, patterns) is left to the reader.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Words = list[str]


def _written(name: str) -> str:
    return name.replace("_", "-")


class _Table(BaseModel):
    """Every key may be left out; there are no others."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid", alias_generator=_written)


def _key(description: str) -> Any:
    return Field(default=None, description=description)


class Target(_Table):
    """The machine that packages run on."""

    device: Annotated[str, Field(min_length=1)] = _key('A device type of torch, such as "cuda".')
    platform: Annotated[str, Field(min_length=1)] = _key('In Python\'s words, such as "linux".')
    machine: Annotated[str, Field(min_length=1)] = _key('In Python\'s words, such as "x86_64".')
    cpu_isa: str | Words = _key("Vector instructions in torch's words: AVX2, AVX512, AVX512_VNNI, AMX_TILE.")
    compute_capability: str | int | float = _key('Such as "9.0" or "sm_90".')


class Package(_Table):
    """What every archive must keep to be released."""

    device: Annotated[str, Field(min_length=1)] = _key("The device type that it is for.")
    architectures: Words = _key('Machines ("x86_64") and compute capabilities ("sm_90").')
    dynamic: dict[str, list[Annotated[str, Field(pattern=r"^.+\.\d+$")]]] = _key(
        'By patterns of archives: dimensions that must be dynamic, such as "x.0" for the first of input x.'
    )
    debug_code: bool = _key("false: no debug printer, NaN asserts, debug symbols or unoptimised code.")
    max_size: Annotated[int, Field(ge=0)] | str = _key('A number of bytes, or text such as "500MB".')
    custom_ops: Words = _key('The operators that it may call, such as "mylib::*".')


class Configuration(_Table):
    """`[tool.aoti-lint]` in a pyproject.toml, or the top level of an aoti-lint.toml."""

    select: Words = _key("Only these rules run: codes, names, beginnings of codes, or ALL.")
    extend_select: Words = _key("These run, too.")
    ignore: Words = _key("These do not run.")
    per_file_ignores: dict[str, Words] = _key("By patterns as in .gitignore: rules that do not run there.")
    severity: dict[str, Literal["error", "warning", "info", "off"]] = _key("By rules: how much their findings weigh.")
    exclude: Words = _key("Patterns as in .gitignore of what is not checked.")
    torch_version: str = _key('The versions of torch that count: "2.13", "2.8..2.11", ">=2.8,<2.12".')
    archives: Words = _key("Patterns of programs and packages to check too, relative to this file.")
    baseline: Annotated[str, Field(min_length=1)] = _key("The file of what stood already, relative to this file.")
    environment: dict[str, str] = _key("Environment variables that every script starts with.")
    target: Target = _key("The machine that packages run on.")
    package: Package = _key("What every archive must keep to be released.")


def schema() -> dict[str, Any]:
    """The JSON Schema of the table."""
    made = Configuration.model_json_schema()
    for table in (made, *made["$defs"].values()):
        for key in table["properties"].values():
            # TOML has no null.
            del key["default"]
    return made
