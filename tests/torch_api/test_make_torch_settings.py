"""The script that makes the data of settings: on a small made-up torch, and on the one that is installed."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from aoti_lint.torch_api import settings
from aoti_lint.torch_api.versions import VersionSet

SCRIPT = Path(__file__).parents[2] / "scripts" / "make_torch_settings.py"
INSTALLED = importlib.util.find_spec("torch")

FILES = {
    "torch/version.py": "__version__ = '2.6.0'\n",
    "torch/__init__.py": """
import os
from . import _logging
_logging._internal._init_logs()
if "SANITIZER" in os.environ:
    pass
""",
    "torch/_logging/__init__.py": "",
    "torch/_logging/_registrations.py": """
from ._internal import register_artifact, register_log
register_log("dynamo", ["torch._dynamo"])
register_artifact("guards", "what is guarded", visible=True)
""",
    "torch/_logging/_internal.py": """
import os
LOGS = "LOGS"
def _init_logs():
    _set_logs()
def _set_logs():
    return os.environ.get(LOGS, None)
def later():
    return os.environ.get(LOGS) is not None
""",
    "torch/utils/__init__.py": "",
    "torch/utils/_config_module.py": """
import os
def _read_env_variable(name):
    value = os.environ.get(name)
    if value == "1":
        return True
    if value == "0":
        return False
    return None

def Config(**given): ...
def install_config_module(module): ...
def get_tristate_env(name, default=None):
    value = os.environ.get(name)
    if value == "1":
        return True
    if value == "0":
        return False
    return default
""",
    "torch/_inductor/__init__.py": """
def list_mode_options(mode=None):
    mode_options = {"default": {}, "max-autotune": {"max_autotune": True}}
    return mode_options[mode]
""",
    "torch/_inductor/config.py": """
import os
import sys
from typing import TYPE_CHECKING, Any, Optional
from torch.utils._config_module import Config, get_tristate_env, install_config_module

if TYPE_CHECKING:
    from x import never

Alias = Optional[int]
_private = 1
__hidden = 1
limit = None if (env_text := os.getenv("LIMIT")) is None else int(env_text)
declared_only: int
number: Optional[int] = None
equal = os.environ.get("EQUAL", "0" if is_fbcode() else "1") == "1"
differs = os.environ.get("DIFFERS") not in ("0", "")
integer = int(os.environ.get("INTEGER", os.environ.get("FALLBACK", "2")))
kept = os.getenv("KEPT", "O1").upper()
truthy = bool(os.environ.get("TRUTHY", False))
tristate = get_tristate_env("TRISTATE")
new: bool = Config(default=True, env_name_force=["FORCE", "OLD_FORCE"], env_name_default="DEFAULT")
old = Config(alias="torch._inductor.config.new", deprecated=True)
function = lambda: 1
gone = 1
del gone
if is_fbcode():
    only_meta = 1
else:
    only_others = 1

def threads() -> int:
    if "THREADS" in os.environ:
        return int(os.environ["THREADS"])
    return 1

def words():
    value = os.environ.get("WORDS")
    if value.lower() in ("none", "all"):
        return None
    return int(value)

def method_of_nobody():
    return os.environ["NOBODY"].split(",")

compile_threads = threads()
displayed = words()

class base:
    enabled = os.environ.get("ENABLED") == "1"
    _unseen = 1

    def method(self):
        return os.environ.get("METHOD")

@inherit_fields_from(base)
class copy(base):
    own = "a"

install_config_module(sys.modules[__name__])
after = 1
""",
    "torch/_dynamo/__init__.py": "",
    "torch/_dynamo/backends.py": """
from os import environ as env
@register_backend
def eager(gm): ...
@register_debug_backend(tags=())
def noisy(gm): ...
register_backend(name="named", compiler_fn=eager)
for name in ("LOOPED", "LOOPED_TOO"):
    print(env.get(name))
if __name__ == "__main__":
    print(env["ONLY_MAIN"])
""",
    "torch/testing/__init__.py": "",
    "torch/testing/_internal.py": "import os\nos.environ['TESTS_ONLY']\ninstall_config_module(1)\n",
}


def write(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def make(*places: Path, output: Path) -> Any:
    arguments = [sys.executable, str(SCRIPT), *map(str, places), "--output", str(output)]
    done = subprocess.run(arguments, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(output.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = tmp_path_factory.mktemp("torch")
    files = dict(FILES)
    files["torch/version.py"] = "__version__ = '2.9.1'\n"
    files["torch/utils/_config_module.py"] = files["torch/utils/_config_module.py"].replace(
        "return None", "return value"
    )
    files["torch/_inductor/config.py"] = files["torch/_inductor/config.py"].replace(
        "_private = 1", "_private = 2\nx = 1"
    )
    return make(write(folder / "new", files), write(folder / "old", FILES), output=folder / "settings.json")


def test_config_keys(made: Any) -> None:
    assert made["modules"] == {"torch._inductor.config": "2.6..2.9"}
    keys = made["keys"]["torch._inductor.config"]
    expected = """
        TYPE_CHECKING _private number equal differs integer kept truthy tristate new old only_others x compile_threads
        displayed limit env_text base.enabled base._unseen copy.own copy.enabled
        """
    assert set(keys) == set(expected.split())
    assert keys["_private"] == {"2.6": {"type": "int", "default": "1"}, "2.9": {"type": "int", "default": "2"}}
    assert set(keys["x"]) == {"2.9"}
    both = {name: forms["2.6..2.9"] for name, forms in keys.items() if "2.6..2.9" in forms}
    assert both["number"] == {"type": "Optional[int]", "default": "None"}
    assert both["equal"] == {"type": "bool", "default": "os.environ.get('EQUAL', '1') == '1'"}
    assert both["kept"]["type"] == "str"
    assert both["new"] == {"type": "bool", "default": "True"}
    assert both["old"] == {"alias": "torch._inductor.config.new", "deprecated": True}
    assert both["compile_threads"]["type"] == "int"


def test_variables(made: Any) -> None:
    config = "torch._inductor.config"
    expected = {
        "EQUAL": [[config, "import", "equals", ["1"], "'1'", "equal"]],
        "DIFFERS": [[config, "import", "differs", ["", "0"], "", "differs"]],
        "INTEGER": [[config, "import", "int", [], "os.environ.get('FALLBACK', '2')", "integer"]],
        "FALLBACK": [[config, "import", "int", [], "'2'", "integer"]],
        "LIMIT": [[config, "import", "int", [], "", "limit"]],
        "KEPT": [[config, "import", "text", [], "'O1'", "kept"]],
        "TRUTHY": [[config, "import", "truthy", [], "False", "truthy"]],
        "TRISTATE": [[config, "import", "switch", [], "", "tristate"]],
        "THREADS": [[config, "import", "int", [], "", "compile_threads"]],
        "WORDS": [[config, "import", "int", ["all", "none"], "", "displayed"]],
        "NOBODY": [[config, "call", "text", [], "", ""]],
        "METHOD": [[config, "call", "text", [], "", ""]],
        "ENABLED": [
            [config, "import", "equals", ["1"], "", "base.enabled"],
            [config, "import", "equals", ["1"], "", "copy.enabled"],
        ],
        "SANITIZER": [["torch", "import", "presence", [], "", ""]],
        "LOGS": [
            ["torch", "import", "text", [], "None", ""],
            ["torch._logging._internal", "call", "presence", [], "", ""],
        ],
        "LOOPED": [["torch._dynamo.backends", "import", "text", [], "", ""]],
        "LOOPED_TOO": [["torch._dynamo.backends", "import", "text", [], "", ""]],
        "ONLY_MAIN": [["torch._dynamo.backends", "call", "text", [], "", ""]],
    }
    for name in ("FORCE", "OLD_FORCE", "DEFAULT"):
        assert made["variables"].pop(name) == {
            "2.6": [[config, "import", "switch", [], "True", "new"]],
            "2.9": [[config, "import", "switch or text", [], "True", "new"]],
        }
    assert made["variables"] == {name: {"2.6..2.9": forms} for name, forms in expected.items()}


def test_logs_modes_and_backends(made: Any) -> None:
    assert (made["logs"], made["artifacts"]) == ({"dynamo": "2.6..2.9"}, {"guards": "2.6..2.9"})
    assert set(made["modes"]) == {"default", "max-autotune"}
    assert set(made["backends"]) == {"eager", "noisy", "named"}


def test_the_same_minor_twice(tmp_path: Path) -> None:
    place = str(write(tmp_path / "place", FILES))
    arguments = [sys.executable, str(SCRIPT), place, place, "--output", str(tmp_path / "settings.json")]
    done = subprocess.run(arguments, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "was read already" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.fixture(scope="module")
def minor() -> str:
    assert INSTALLED is not None
    assert INSTALLED.origin is not None
    text = Path(INSTALLED.origin).with_name("version.py").read_text(encoding="utf-8")
    return ".".join(text.partition("__version__ = '")[2].split(".")[:2])


@pytest.mark.skipif(INSTALLED is None, reason="torch is not installed")
def test_the_data_are_what_the_installed_torch_gives(minor: str, tmp_path: Path) -> None:
    assert INSTALLED is not None
    assert INSTALLED.origin is not None
    installed = make(Path(INSTALLED.origin).parents[1], output=tmp_path / "settings.json")
    stored = settings._data()
    if stored["releases"].get(minor) != installed["releases"][minor]:
        pytest.skip(f"the data of {minor} were made from {stored['releases'].get(minor)}")

    def of_minor(forms: Any) -> Any:
        if isinstance(forms, str):
            return minor in VersionSet.parse(forms)
        return next((form for span, form in forms.items() if minor in VersionSet.parse(span)), None)

    for section in ("modules", "variables", "logs", "artifacts", "modes", "backends"):
        there = {name: form for name, forms in stored[section].items() if (form := of_minor(forms))}
        assert there == {name: of_minor(forms) for name, forms in installed[section].items()}, section
    for module, keys in installed["keys"].items():
        there = {key: form for key, forms in stored["keys"][module].items() if (form := of_minor(forms)) is not None}
        assert there == {key: of_minor(forms) for key, forms in keys.items()}, module


@pytest.mark.skipif(INSTALLED is None, reason="torch is not installed")
def test_the_data_agree_with_the_installed_torch_when_it_runs(minor: str) -> None:
    code = """if True:
        import importlib, json, sys, typing, warnings
        warnings.simplefilter("ignore")
        import torch, torch._dynamo, torch._inductor
        modules = {name: importlib.import_module(name) for name in sys.argv[1:]}
        from torch._logging._internal import log_registry
        print(json.dumps({
            "keys": {name: {key: [str(getattr(entry.value_type, "__name__", entry.value_type)), entry.alias]
                            for key, entry in module._config.items()} for name, module in modules.items()},
            "logs": sorted(log_registry.log_alias_to_log_qnames),
            "artifacts": sorted(log_registry.artifact_names),
            "modes": sorted(torch._inductor.list_mode_options()),
            "backends": sorted(torch._dynamo.list_backends(())),
        }))
        """
    modules = [name for name in settings.config_modules() if minor in settings.module_versions(name)]
    done = subprocess.run([sys.executable, "-c", code, *modules], capture_output=True, text=True, check=True)
    real = json.loads(done.stdout.splitlines()[-1])
    for module in modules:
        assert settings.keys(module, minor) == set(real["keys"][module]), module
        for key, (kind, alias) in real["keys"][module].items():
            found = settings.setting(module, key, minor)
            assert found is not None
            assert found.alias == alias, f"{module}.{key}"
            if kind in ("bool", "int", "float", "str") and found.type in ("bool", "int", "float", "str"):
                assert found.type == kind, f"{module}.{key}"
    assert settings.log_names(minor) - {"all", "help"} == {*real["logs"], *real["artifacts"]}
    assert settings.compile_modes(minor) == set(real["modes"])
    assert set(real["backends"]) <= settings.compile_backends(minor)
