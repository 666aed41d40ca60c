"""The reference of names in debugging guides: complete, with proof, and true of the installed torch."""

from __future__ import annotations

import importlib.util
import json
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from aoti_lint.torch_api import api, settings
from aoti_lint.torch_api.guide.lookup import find, known, rows
from aoti_lint.torch_api.guide.row import Kind, Row
from aoti_lint.torch_api.versions import SUPPORTED, VersionSet

NAMES: dict[str, list[str]] = json.loads((Path(__file__).parent / "guides.json").read_text(encoding="utf-8"))
KINDS = {
    "backends": Kind.MODE,
    "files": Kind.FILE,
    "functions": Kind.API,
    "log names": Kind.LOG,
    "methods": Kind.API,
    "printer modes": Kind.PRINTER_MODE,
    "settings": Kind.KEY,
    "tools": Kind.TOOL,
    "variables": Kind.VARIABLE,
}
PLACE = re.compile(r"2\.13\.0 ([\w/.]+\.(?:py|h))(?::(\d+))?")
TORCH = importlib.util.find_spec("torch")


def one(name: str) -> Row:
    found = find(name)
    assert len(found) == 1, name
    return found[0]


@cache
def installed() -> Path:
    """The folder of the installed torch; skips the test when it is not a 2.13."""
    if TORCH is None or TORCH.origin is None:
        pytest.skip("torch is not installed")
    folder = Path(TORCH.origin).parent
    if "'2.13.0" not in (folder / "version.py").read_text(encoding="utf-8"):
        pytest.skip("the places are those of torch 2.13.0")
    return folder


@pytest.mark.parametrize(("kind", "name"), [(kind, name) for kind in KINDS for name in NAMES[kind]])
def test_every_name_of_the_guides_has_a_row(kind: str, name: str) -> None:
    row = one(f"backend {name}" if kind == "backends" else name)
    assert name in (row.name, f"{row.name.removeprefix('backend ')}", *row.aliases)
    assert row.kind is KINDS[kind]


def test_no_kind_of_name_is_left_out() -> None:
    assert set(NAMES) == {*KINDS, "arguments", "values"}
    assert all(NAMES.values())


@pytest.mark.parametrize("text", NAMES["values"])
def test_every_value_of_the_guides_is_explained(text: str) -> None:
    name, _, value = text.partition("=")
    values = one(name).values
    assert value in values or any(key.startswith("<") for key in values)


@pytest.mark.parametrize("argument", NAMES["arguments"])
def test_every_argument_of_the_guides_is_explained(argument: str) -> None:
    names = {key for row in rows() if row.kind is Kind.API for key in row.values}
    assert names & {argument, argument.partition("=")[0]}


def test_names_are_written_once() -> None:
    spellings = [name for row in rows() for name in (row.name, *row.aliases)]
    assert sorted(spellings) == sorted(set(spellings)) == sorted(known())


@pytest.mark.parametrize("row", rows(), ids=lambda row: row.name)
def test_a_row_says_where_it_is_known_from(row: Row) -> None:
    assert row.does.endswith(".")
    assert row.source
    assert all(name in known() for name in row.see)
    for correction in row.corrections:
        assert correction.said.endswith(".")
        assert correction.really.endswith(".")
        assert PLACE.search(correction.proof) or re.search(r"\brun (on torch|with tlparse) \d", correction.proof)


@pytest.mark.parametrize("row", rows(), ids=lambda row: row.name)
def test_the_places_are_in_the_installed_torch(row: Row) -> None:
    torch = installed()
    for text in (row.source, *(correction.proof for correction in row.corrections)):
        for path, line in PLACE.findall(text):
            lines = (torch / path).read_text(encoding="utf-8").splitlines()
            assert not line or int(line) <= len(lines)
    place = PLACE.match(row.source)
    if row.kind in (Kind.VARIABLE, Kind.KEY) and place and place[2] and "2.13" in row.versions:
        line = (torch / place[1]).read_text(encoding="utf-8").splitlines()[int(place[2]) - 1]
        assert row.name.rpartition(".")[2] in line or "_ENV_VAR" in line, line


def test_rows_and_the_data_of_the_sources_name_the_same_versions() -> None:
    for row in rows():
        if row.kind is Kind.VARIABLE:
            assert settings.variable_versions(row.name) == row.versions, row.name
        elif row.kind is Kind.KEY:
            module = next(one for one in settings.config_modules() if row.name.startswith(f"{one}."))
            assert settings.key_versions(module, row.name.removeprefix(f"{module}.")) == row.versions, row.name
        elif row.kind is Kind.LOG:
            there = VersionSet(minor for minor in SUPPORTED if row.name in settings.log_names(minor))
            assert there == row.versions, row.name


def test_a_variable_that_never_was_is_not_in_torch() -> None:
    never = [row.name for row in rows() if row.kind is Kind.VARIABLE and not row.versions]
    assert never
    for path in (installed() / "_inductor").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert not any(name in text for name in never)


IN_TORCH = """
import importlib, json, sys
from torch._logging._internal import log_registry
import torch._inductor

def there(name):
    module, found = name.split(".config.")
    owner = importlib.import_module(module + ".config")
    for part in found.split("."):
        if not hasattr(owner, part):
            return False
        owner = getattr(owner, part)
    return True

logs = [*log_registry.log_alias_to_log_qnames, *log_registry.artifact_names]
print(json.dumps([{name: there(name) for name in sys.argv[1:]}, logs, list(torch._inductor.list_mode_options())]))
"""


def test_settings_log_names_and_modes_are_in_the_installed_torch() -> None:
    installed()
    keys = {row.name: "2.13" in row.versions for row in rows() if row.kind is Kind.KEY}
    command = [sys.executable, "-W", "ignore", "-c", IN_TORCH, *keys]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    there, logs, modes = json.loads(done.stdout)
    assert there == keys
    assert {row.name for row in rows() if row.kind is Kind.LOG} <= set(logs)
    named = {row.name for row in rows() if row.kind is Kind.MODE and not row.name.startswith("backend ")}
    assert named == set(modes)


def test_functions_are_in_the_versions_their_rows_name() -> None:
    judged = {row.name: api.presence(row.name) for row in rows() if row.kind is Kind.API}
    known_to_the_data = {name: versions for name, versions in judged.items() if versions is not None}
    assert {name: one(name).versions for name in known_to_the_data} == known_to_the_data
    assert "torch._inductor.aoti_load_package" in known_to_the_data


@pytest.mark.parametrize(
    ("word", "name"),
    [
        ("TORCH_LOGS", "TORCH_LOGS"),
        ("torch_logs", "TORCH_LOGS"),
        ("TORCH_LOGS=+dynamic", "TORCH_LOGS"),
        ("nan_asserts", "torch._inductor.config.nan_asserts"),
        ("config.debug", "torch._inductor.config.debug"),
        ("torch._inductor.config.DEBUG", "torch._inductor.config.debug"),
        ("cpp.simdlen", "torch._inductor.config.cpp.simdlen"),
        ("aoti_load_package()", "torch._inductor.aoti_load_package"),
        ("run_repro", "torch._dynamo.repro.aoti.run_repro"),
        ("torch._dynamo.config.repro_after", "TORCHDYNAMO_REPRO_AFTER"),
    ],
)
def test_find(word: str, name: str) -> None:
    assert [row.name for row in find(word)] == [name]


@pytest.mark.parametrize("word", ["", "=1", ".", "a", "TORCH_LOG", "unknown_name"])
def test_find_nothing(word: str) -> None:
    assert find(word) == []


def test_an_end_may_mean_several_names() -> None:
    assert [row.name for row in find("aot_compile")] == ["torch._inductor.aot_compile", "torch._export.aot_compile"]


def test_versions_in_words() -> None:
    assert one("TORCHINDUCTOR_TRITON_CUDAGRAPHS").there == "in no supported torch"
    assert one("AOTI_RUNTIME_CHECK_INPUTS").there == "torch 2.7–2.15"
    assert one("TORCH_LOGS").there == "every supported torch"
    assert one("TORCH_LOGS").versions == SUPPORTED != VersionSet()


def test_the_page_of_settings_is_up_to_date() -> None:
    root = Path(__file__).parents[2]
    spec = importlib.util.spec_from_file_location("make_settings_page", root / "scripts" / "make_settings_page.py")
    assert spec is not None
    assert spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    text = script.page()
    assert (root / "docs" / "settings.md").read_bytes() == text.encode(), "run python scripts/make_settings_page.py"
    anchors = re.findall(r'<a id="([^"]+)">', text)
    assert sorted(anchors) == sorted(set(anchors))
    assert set(re.findall(r"\(#([^)]+)\)", text)) == set(anchors)
