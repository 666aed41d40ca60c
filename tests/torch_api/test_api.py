"""What the accessor says about names and signatures, and that the hand-written judgements agree with the data."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from aoti_lint.torch_api import api
from aoti_lint.torch_api.judgements import JUDGEMENTS
from aoti_lint.torch_api.versions import MINORS, SUPPORTED, VersionSet

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("name", "there"),
    [
        ("torch.export", "2.4–2.15"),
        ("torch.export.export", "2.4–2.15"),
        ("torch.export.export_for_training", "2.5–2.10"),
        ("torch.export.export_for_inference", "2.6–2.7"),
        ("torch.export.dynamic_dim", "2.4"),
        ("torch.export.draft_export", "2.8–2.15"),
        ("torch.export._draft_export.draft_export", "2.6–2.15"),
        ("torch.export.Dim", "2.4–2.15"),
        ("torch.export.Dim.AUTO", "2.5–2.15"),
        ("torch.export.Dim.STATIC", "2.5–2.15"),
        ("torch.export.Dim.DYNAMIC", "2.6–2.15"),
        ("torch.export.Dim.NOTHING", "none"),
        ("torch.export.dynamic_shapes.Dim.DYNAMIC", "2.6–2.15"),
        ("torch.export.ShapesCollection", "2.4–2.15"),
        ("torch.export.AdditionalInputs", "2.8–2.15"),
        ("torch.export.passes.move_to_device_pass", "2.5–2.15"),
        ("torch.export.pt2_archive._package.load_pt2", "2.8–2.15"),
        ("torch._export.export", "none"),
        ("torch._export.capture_pre_autograd_graph", "2.4–2.6"),
        ("torch._export.aot_compile", "2.4–2.15"),
        ("torch._inductor.aot_load", "none"),
        ("torch._inductor.aot_compile", "2.4–2.15"),
        ("torch._inductor.aoti_load_package", "2.6–2.15"),
        ("torch._inductor.package.load_package", "2.5–2.15"),
        ("torch._inductor.standalone_compile", "2.8–2.15"),
        ("torch.library.register_fake", "2.4–2.15"),
        ("torch.library.impl_abstract", "2.4–2.15"),
        ("torch.library.triton_op", "2.6–2.15"),
        ("torch.library.register_autocast", "2.7–2.15"),
        ("torch.library.get_kernel", "2.9–2.15"),
        ("torch.library.Library.fallback", "2.5–2.15"),
        ("torch._custom_ops.custom_op", "2.4–2.15"),
        ("torch._dynamo.mark_dynamic", "2.4–2.15"),
        ("torch.compiler.is_exporting", "2.7–2.15"),
        ("torch.ao.quantization.quantize_pt2e.prepare_pt2e", "2.4–2.10"),
    ],
)
def test_presence(name: str, there: str) -> None:
    assert str(api.presence(name)) == there


@pytest.mark.parametrize(
    "name",
    [
        "torch",
        "torch.nn.Linear",
        "torch.ops.ns.name",
        "torch.export.export.__doc__",
        "torch.export.__version__",
        "torch.export.export.attribute_of_a_function_of_unknown_kind.x",
        "torch._inductor.config.max_autotune.x",
        "torch._inductor.config.no_such_key",
        "numpy.array",
    ],
)
def test_presence_that_cannot_be_known(name: str) -> None:
    assert api.presence(name) is None


@pytest.mark.parametrize(
    ("versions", "part"),
    [("2.4..2.7", "torch.export.pt2_archive"), ("2.7..2.8", "torch.export.pt2_archive.nothing")],
)
def test_missing_part(versions: str, part: str) -> None:
    assert api.missing_part("torch.export.pt2_archive.nothing", VersionSet.parse(versions)) == part


@pytest.mark.parametrize(
    ("name", "version", "text"),
    [
        (
            "torch.export.export",
            "2.7",
            "(mod, args, kwargs=None, *, dynamic_shapes=None, strict=True, preserve_module_call_signature=())",
        ),
        (
            "torch.library.custom_op",
            "2.13",
            "(name, fn=None, /, *, mutates_args, device_types=None, schema=None, tags=None)",
        ),
        ("torch._inductor.aoti_load_package", "2.6", "(path)"),
        ("torch._inductor.aoti_load_package", "2.9", "(path, run_single_threaded=False, device_index=-1)"),
        ("torch._inductor.package.load_package", "2.5", "(path, device)"),
        ("torch._inductor.package.package.load_package", "2.5", "(path, device)"),
        ("torch.export.exported_program.ExportedProgram.run_decompositions", "2.4", "(decomp_table=None)"),
        ("torch.library.CustomOpDef.register_fake", "2.13", "(fn, /)"),
        ("torch.export.AdditionalInputs", "2.8", "()"),
    ],
)
def test_signature(name: str, version: str, text: str) -> None:
    assert str(api.signature(name, version)) == text


def test_signature_of_what_is_not_there() -> None:
    assert api.signature("torch._inductor.aoti_load_package", "2.5") is None
    assert api.signature("torch.nn.Linear", "2.13") is None
    assert api.signatures("torch._inductor.aot_load") == []


def test_signature_answers() -> None:
    export = api.signature("torch.export.export", "2.9")
    assert export is not None
    assert export.positional() == ("mod", "args", "kwargs")
    assert export.takes_keyword("prefer_deferred_runtime_asserts_over_guards")
    assert not export.takes_keyword("constraints")
    strict, mod = export.parameter("strict"), export.parameter("mod")
    assert strict is not None
    assert (strict.kind, strict.default, strict.required) == ("keyword only", "False", False)
    assert mod is not None
    assert mod.required
    assert export.parameter("constraints") is None
    custom_op = api.signature("torch.library.custom_op", "2.4")
    assert custom_op is not None
    assert not custom_op.takes_keyword("fn")
    old = api.signature("torch._dynamo.export", "2.13")
    assert old is not None
    assert old.takes_keyword("anything")
    assert not any(parameter.required for parameter in old.parameters if parameter.kind in ("*", "**"))
    assert old.positional() == ("f",)


def test_signatures_follow_the_versions() -> None:
    spans = [str(versions) for versions, _ in api.signatures("torch.export.export")]
    assert spans == ["2.4–2.7", "2.8", "2.9–2.15"]


def test_every_recorded_signature_can_be_read_back() -> None:
    for name in api._data()["signatures"]:
        covered = VersionSet()
        for versions, signature in api.signatures(name):
            assert not covered & versions, name
            covered |= versions
            texts = next(texts for span, texts in api._signatures(name).items() if VersionSet.parse(span) == versions)
            assert str(signature) == f"({', '.join(texts)})"


def test_the_data_are_of_every_supported_minor() -> None:
    assert list(api.releases()) == list(MINORS)
    assert all(release.startswith(f"{minor}.") for minor, release in api.releases().items())


def test_where_a_guessed_name_is() -> None:
    newest = VersionSet(["2.13"])
    assert api.elsewhere("torch._inductor.load_package", newest) == ["torch._inductor.package.load_package"]
    assert api.elsewhere("torch._inductor.load_package", SUPPORTED) == []
    assert api.near("torch._inductor.aoti_load", newest) == ["torch._inductor.aoti_load_package"]
    assert api.near("torch.export.Dim.DYNAMC", newest) == ["torch.export.Dim.DYNAMIC"]
    assert api.near("torch.nn.Linar", newest) == []


@pytest.mark.parametrize("name", JUDGEMENTS)
def test_judgement_agrees_with_the_data(name: str) -> None:
    judged = JUDGEMENTS[name]
    there = api.presence(name)
    assert there is not None
    assert there != SUPPORTED, "a name that is always there needs no judgement"
    assert judged.advice
    assert judged.source
    if judged.replacement is None:
        assert not judged.rename
        return
    new = api.presence(judged.replacement)
    assert new
    assert judged.replacement.rpartition(".")[2] in judged.advice
    assert api.replacement(name) == judged.replacement
    if judged.same_since is not None:
        assert judged.rename
        assert VersionSet.since(judged.same_since) <= new | there


@pytest.mark.parametrize("name", [name for name, judged in JUDGEMENTS.items() if judged.rename])
def test_renamed_functions_take_the_same_arguments(name: str) -> None:
    replacement = JUDGEMENTS[name].replacement
    assert replacement is not None
    old, new = api.signatures(name), api.signatures(replacement)
    if old and new:
        names = [{p.name for p in signature.parameters} for _, signature in (old[-1], new[-1])]
        assert names[0] <= names[1]
        assert old[-1][1].positional() == new[-1][1].positional()[: len(old[-1][1].positional())]


def test_no_judgement_for_an_ordinary_name() -> None:
    assert api.judgement("torch.export.export") is None
    assert api.replacement("torch.export.export") is None
    assert api.judgement("torch.export.dynamic_shapes.Dim.AUTO") is not None


def test_asking_for_versions_imports_nothing_heavy() -> None:
    code = (
        "import sys; before = set(sys.modules); import aoti_lint.torch_api.versions, aoti_lint.torch_api.target;"
        "print(*sorted({'json', 'dataclasses', 'typing', 'pathlib', 'tomllib', 'libcst', 'pydantic', 'rich', 'torch',"
        " 'importlib.metadata', 'subprocess'} & (set(sys.modules) - before)))"
    )
    done = subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.strip() == ""
