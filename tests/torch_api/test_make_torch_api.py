"""The script that makes the data: on a small made-up torch, and on the one that is installed."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from aoti_lint.torch_api import api
from aoti_lint.torch_api.versions import VersionSet

SCRIPT = Path(__file__).parents[2] / "scripts" / "make_torch_api.py"
INSTALLED = importlib.util.find_spec("torch")

OLD = {
    "torch/version.py": "__version__ = '2.4.1+cpu'\n",
    "torch/__init__.py": "",
    "torch/export/__init__.py": """
        import os, sys as system
        import torch.utils
        from typing import TYPE_CHECKING, Any as Anything
        from . import _trace
        from ._trace import *
        from .dynamic_shapes import Dim
        from ._trace import renamed_here as renamed

        if TYPE_CHECKING:
            from x import only_for_typing
        else:
            from x import at_run_time
        try:
            import numpy
        except ImportError as error:
            numpy = None
        with open(os.devnull) as handle:
            inside = 1
        for index, (one, *others) in ():
            pass
        annotated: int
        annotated_too: int = 1
        if (walrus := 1) and False:
            conditional = 1
        gone = 1
        del gone
        maybe_gone = 1
        if walrus:
            del maybe_gone
        lists = [local for local in (inner_walrus := [])]
        match os.name:
            case "nt":
                matched = 1

        def export(mod, args=(), /, kwargs=None, *, strict=True, **rest):
            global set_later
            set_later = local_name = 1

        class ExportedProgram:
            kind = 1
            declared: int

            def __init__(self, root, *, verifier=None):
                self.graph, unseen = root, 1

            @property
            def module_call_graph(self):
                return []

            @staticmethod
            def load(path):
                return path

            def run(self, *inputs):
                for made in inputs:
                    self.last: int = made
        """,
    "torch/export/_trace.py": """
        __all__ = ["listed"]
        __all__ += ["also_listed"]
        def listed(): ...
        def also_listed(): ...
        def not_listed(): ...
        def renamed_here(a): ...
        """,
    "torch/export/dynamic_shapes.py": """
        def Dim(name, *, min=None): ...
        Dim.AUTO = 1
        """,
    "torch/library.py": """
        import sys
        class Library(Base):
            def define(self, schema): ...
        def __getattr__(name): ...
        @overload
        def custom_op(name: str): ...
        @overload
        def custom_op(name: int): ...
        def custom_op(name): ...
        if sys.platform == "win32":
            def two(a): ...
        else:
            def two(b): ...
        """,
    "torch/compiler/__init__.py": "from .stars import *\nfrom torch._C import *\n",
    "torch/compiler/stars.py": "public = 1\n_private = 1\n",
    "torch/compiler/config.py": "flag = 1\ninstall_config_module(sys.modules[__name__])\n",
    "torch/compiler/made.py": "def f(name):\n    globals()[name] = 1\n",
    "torch/compiler/_ext.cpython-311-x86_64-linux-gnu.so": "",
    "torch/_export/__init__.py": "",
    "torch/_export/gone.py": "x = 1\n",
    "torch/nn/__init__.py": "x = 1\n",
}
NEW = {
    **OLD,
    "torch/version.py": "__version__ = '2.6.0'\n",
    "torch/export/dynamic_shapes.py": """
        from dataclasses import dataclass
        class Base:
            AUTO = 1
            DYNAMIC = 2
        @dataclass
        class Dim(Base):
            name: str
            max: int = 3
        @dataclass(frozen=True)
        class Plain:
            name: str
            kept: ClassVar[int] = 1
            max: int = 3
        """,
}
NEW.pop("torch/_export/gone.py")


def write(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        lines = text.splitlines()
        indent = 8 if text.startswith("\n") else 0
        path.write_text("\n".join(line[indent:] for line in lines) + "\n", encoding="utf-8")
    return folder


def make(*places: Path, output: Path, earlier: Iterable[Path] = ()) -> Any:
    arguments = [*map(str, places), "--output", str(output), "--earlier", *map(str, earlier)]
    done = subprocess.run([sys.executable, str(SCRIPT), *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(output.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = tmp_path_factory.mktemp("torch")
    old, new = write(folder / "old", OLD), write(folder / "new", NEW)
    return make(new, old, output=folder / "api.json")


def names(data: Any, module: str, version: str = "2.4") -> set[str]:
    groups = data["modules"][module]["names"]
    return {name for span, text in groups.items() if version in VersionSet.parse(span) for name in text.split()}


def test_releases(data: Any) -> None:
    assert data["releases"] == {"2.4": "2.4.1", "2.6": "2.6.0"}


def test_names_of_a_module(data: Any) -> None:
    made = names(data, "torch.export")
    expected = """
        os system torch TYPE_CHECKING Anything _trace dynamic_shapes Dim renamed at_run_time numpy handle inside index
        one others annotated_too walrus conditional maybe_gone lists inner_walrus matched export set_later
        ExportedProgram listed also_listed
        """
    assert made == set(expected.split())


def test_submodules_are_names(data: Any) -> None:
    assert names(data, "torch.compiler") == {"stars", "config", "made", "_ext", "public"}


def test_open_modules(data: Any) -> None:
    assert data["modules"]["torch.library"]["open"] == "2.4..2.6"
    assert {name for name, module in data["modules"].items() if "open" in module} == {
        "torch.library",
        "torch.library.Library",
        "torch.compiler",
        "torch.compiler.config",
        "torch.compiler.made",
    }


def test_attributes_of_functions_and_classes(data: Any) -> None:
    assert names(data, "torch.export.Dim") == {"AUTO"}
    assert names(data, "torch.export.Dim", "2.6") == {"AUTO", "DYNAMIC", "name", "max"}
    members = {"kind", "declared", "graph", "module_call_graph", "load", "run", "last"}
    assert names(data, "torch.export.ExportedProgram") == members


def test_signatures(data: Any) -> None:
    made = data["signatures"]
    assert made["torch.export.export"] == {
        "2.4..2.6": ["mod", "args=()", "/", "kwargs=None", "*", "strict=True", "**rest"]
    }
    assert made["torch.export.Dim"] == {"2.4": ["name", "*", "min=None"]}, "a dataclass with a base is not settled"
    assert made["torch.export.dynamic_shapes.Plain"] == {"2.6": ["name", "max=3"]}
    assert made["torch.export.ExportedProgram"] == {"2.4..2.6": ["root", "*", "verifier=None"]}
    assert made["torch.export.ExportedProgram.run"] == {"2.4..2.6": ["*inputs"]}
    assert made["torch.export.ExportedProgram.load"] == {"2.4..2.6": ["path"]}
    assert "torch.export.ExportedProgram.module_call_graph" not in made
    assert made["torch.library.custom_op"] == {"2.4..2.6": ["name"]}
    assert "torch.library.two" not in made
    assert data["aliases"]["torch.export._trace.renamed_here"] == "torch.export.renamed"


def test_what_is_gone_and_what_is_not_covered(data: Any) -> None:
    assert data["modules"]["torch._export.gone"]["in"] == "2.4"
    assert names(data, "torch._export", "2.4") == {"gone"}
    assert names(data, "torch._export", "2.6") == set()
    assert "torch.nn" not in data["modules"]


def test_names_that_only_earlier_releases_had(data: Any, tmp_path: Path) -> None:
    """Each with the minor that removed it; neither what a supported release has nor what lay in a module that went."""
    now = write(tmp_path / "now", OLD)
    module = "torch/export/__init__.py"
    first = {"torch/version.py": "__version__ = '1.13.1'\n", "torch/__init__.py": "", module: "left = both = 1\n"}
    second = {**first, "torch/version.py": "__version__ = '2.3.0'\n", module: "both = export = 1\n"}
    second["torch/export/went.py"] = "inside = 1\n"
    second["torch/library.py"] = "def custom_op(name, older=None):\n    pass\n"
    places = [write(tmp_path / "b", second), write(tmp_path / "a", first)]
    made = make(now, output=tmp_path / "api.json", earlier=places)
    assert made["removed"] == {"torch.export": {"2.3": "left", "2.4": "both went"}}
    assert made["removed_arguments"] == {"torch.library.custom_op": {"2.4": "older"}}
    assert made["releases"] == {"2.4": "2.4.1"}
    assert data["removed"] == data["removed_arguments"] == {}


def test_a_wheel_gives_the_same_bytes_as_a_folder(tmp_path: Path) -> None:
    folder = write(tmp_path / "folder", OLD)
    wheel = tmp_path / "torch-2.4.1-cp311.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for path in sorted(folder.rglob("*.*")):
            archive.write(path, path.relative_to(folder).as_posix())
    make(folder, output=tmp_path / "of_folder.json")
    make(wheel, output=tmp_path / "of_wheel.json")
    assert tmp_path.joinpath("of_folder.json").read_bytes() == tmp_path.joinpath("of_wheel.json").read_bytes()


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"a.py": ""}, "holds no package torch"),
        ({"torch/__init__.py": "", "torch/version.py": "x"}, "gives no version"),
    ],
)
def test_places_that_hold_no_torch(tmp_path: Path, files: dict[str, str], message: str) -> None:
    place = write(tmp_path / "place", files)
    arguments = [sys.executable, str(SCRIPT), str(place), "--output", str(tmp_path / "api.json")]
    done = subprocess.run(arguments, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Any:
    assert INSTALLED is not None
    assert INSTALLED.origin is not None
    return make(Path(INSTALLED.origin).parents[1], output=tmp_path_factory.mktemp("installed") / "api.json")


@pytest.mark.skipif(INSTALLED is None, reason="torch is not installed")
def test_the_data_are_what_the_installed_torch_gives(installed: Any) -> None:
    ((minor, release),) = installed["releases"].items()
    if api.releases().get(minor) != release:
        pytest.skip(f"the data of {minor} were made from {api.releases().get(minor)}, installed is {release}")
    stored = api._data()
    there = {name for name, module in stored["modules"].items() if minor in VersionSet.parse(module["in"])}
    assert there == set(installed["modules"])
    for module in there:
        assert names(stored, module, minor) == names(installed, module, minor), module
        is_open = minor in VersionSet.parse(stored["modules"][module].get("open", "*"))
        assert is_open == ("open" in installed["modules"][module] or "open" not in stored["modules"][module]), module
    signatures = {
        name: texts
        for name, spans in stored["signatures"].items()
        for span, texts in spans.items()
        if minor in VersionSet.parse(span)
    }
    assert signatures == {name: next(iter(spans.values())) for name, spans in installed["signatures"].items()}


@pytest.mark.skipif(INSTALLED is None, reason="torch is not installed")
def test_the_data_deny_no_name_of_the_installed_torch() -> None:
    code = """if True:
        import importlib, json, sys, warnings
        warnings.simplefilter("ignore")
        print(json.dumps({name: dir(importlib.import_module(name)) for name in sys.argv[1:]}))
        """
    modules = ["torch.export", "torch._export", "torch._inductor", "torch._inductor.package", "torch.library",
               "torch.compiler", "torch._dynamo", "torch.export.dynamic_shapes", "torch.export.pt2_archive",
               "torch.fx.experimental.proxy_tensor", "torch.fx.experimental.symbolic_shapes", "torch.onnx",
               "torch.ao.quantization", "torch._custom_ops", "torch.jit"]  # fmt: skip
    done = subprocess.run([sys.executable, "-c", code, *modules], capture_output=True, text=True, check=True)
    import torch

    minor = ".".join(torch.__version__.split(".")[:2])
    for module, there in json.loads(done.stdout.splitlines()[-1]).items():
        for name in there:
            presence = api.presence(f"{module}.{name}")
            assert presence is None or minor in presence, f"{module}.{name}"
