"""What the rules about settings say of code that looks wrong and is right, and the other way round."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from aoti_lint.config import Config
from aoti_lint.engine.check import check
from aoti_lint.options import Options

BUILD = """
program = torch.export.export(torch.nn.ReLU(), (torch.ones(4, 8),))
path = torch._inductor.aoti_compile_and_package(program, package_path="net.pt2")
"""
SERVE = """
run = torch._inductor.aoti_load_package("net.pt2")
run(torch.ones(4, 8))
"""


def said(
    folder: Path, *, pedantic: bool = False, torch: str | None = "2.13", shell: str = "", **files: str
) -> dict[str, set[int]]:
    """The codes that are said of the files `name.py`, with the lines. `shell` is a script that is named as well."""
    for name, text in files.items():
        folder.joinpath(f"{name}.py").write_text(text, encoding="utf-8")
    named = [str(folder), *([str(folder / shell)] if shell else ())]
    document = check(Options(named, Config(), cache=False, torch_version=torch, pedantic=pedantic)).document
    found: dict[str, set[int]] = {}
    for item in document["diagnostics"]:
        found.setdefault(item["code"], set()).add(item["location"]["row"])
    return {code: rows for code, rows in found.items() if code.startswith("AOTI5")}


def marked(text: str) -> dict[str, set[int]]:
    """What the comments `# <- CODE` ask for."""
    found: dict[str, set[int]] = {}
    for row, line in enumerate(text.splitlines(), 1):
        for code in re.findall(r"# <- (AOTI\d+)", line):
            found.setdefault(code, set()).add(row)
    return found


TOO_LATE = {
    "by naming inductor": """
import os
import torch
import torch._inductor.config as config
os.environ["TORCHINDUCTOR_NAN_ASSERTS"] = "1"  # <- AOTI501
print(config.nan_asserts)
""",
    "in time": """
import os
import torch
os.environ["TORCHINDUCTOR_NAN_ASSERTS"] = "1"
print(torch._inductor.config.nan_asserts)
""",
    "only the default": """
import os
import torch._inductor.config
os.environ["TORCHINDUCTOR_NAN_ASSERTS"] = "0"
os.environ["TORCHINDUCTOR_FREEZING"] = "0"
""",
    "an old value is put back": """
import os
old = os.environ.get("TORCHINDUCTOR_NAN_ASSERTS")
import torch._inductor.config
if old is None:
    os.environ.pop("TORCHINDUCTOR_NAN_ASSERTS", None)
else:
    os.environ["TORCHINDUCTOR_NAN_ASSERTS"] = old
""",
    "said again": """
import os
os.environ["TORCHINDUCTOR_NAN_ASSERTS"] = "1"
import torch._inductor.config
os.environ["TORCHINDUCTOR_NAN_ASSERTS"] = "1"
""",
    "the setting is set as well": """
import os
import torch._inductor.config
os.environ["TORCHINDUCTOR_NAN_ASSERTS"] = "1"
torch._inductor.config.nan_asserts = True
""",
    "for a child process": """
import os
import subprocess
import torch._inductor.config
os.environ["TORCHINDUCTOR_NAN_ASSERTS"] = "1"
subprocess.run(["bash", "build.sh"])
""",
    "read at each use": """
import os
import torch._inductor.config
os.environ["TORCHINDUCTOR_CACHE_DIR"] = "/tmp/cache"
""",
    "in a function": """
import os
import torch
import torch._dynamo

def verbose():
    os.environ["TORCH_LOGS"] = "+dynamo"  # <- AOTI501
    torch._dynamo.reset()
""",
    "perhaps imported": """
import os
import sys
import torch
if "--fast" in sys.argv:
    import torch._inductor.config
os.environ["TORCHINDUCTOR_NAN_ASSERTS"] = "1"
print(torch.export)
""",
    "an order that set_logs reads again": """
import os
import torch
os.environ["TORCH_LOGS_OUT"] = "log.txt"
torch._logging.set_logs(graph_breaks=True)
""",
}


@pytest.mark.parametrize("text", TOO_LATE.values(), ids=TOO_LATE)
def test_too_late(text: str, tmp_path: Path) -> None:
    assert said(tmp_path, script=text) == marked(text)


def test_a_helper_that_is_imported_too_late(tmp_path: Path) -> None:
    helper = 'import os\n\nos.environ["TORCHINDUCTOR_NAN_ASSERTS"] = "1"\n'
    script = "import torch._inductor.config\nimport flags\nprint(torch._inductor.config.nan_asserts)\n"
    assert said(tmp_path, flags=helper, script=script) == {"AOTI501": {3}}
    assert said(tmp_path, script="import flags\nimport torch._inductor.config\ntorch.export.export\n") == {}


SET_BY_A_FILE = """
import argparse, json, os
import torch._inductor.config
parser = argparse.ArgumentParser()
parser.add_argument("--settings", default="settings.json")
parser.add_argument("--fast", action="store_true")
args = parser.parse_args()
with open(args.settings) as stream:
    settings = json.load(stream)
"""


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("for name, value in settings['variables'].items():\n    os.environ[name] = str(value)", {11}),
        ("os.environ.update(settings['variables'])", {10}),
        ("os.environ['TORCHINDUCTOR_NAN_ASSERTS'] = settings['asserts']", {10}),
        ("os.environ['TORCHINDUCTOR_NAN_ASSERTS'] = settings['off']", set()),
        ("os.environ['TORCHINDUCTOR_NAN_ASSERTS'] = '0' if args.fast else '1'", {10}),
        ("os.environ['TORCHINDUCTOR_NAN_ASSERTS'] = '1' if args.fast else '0'", set()),
        ("os.environ['TORCHINDUCTOR_NAN_ASSERTS'] = os.environ.get('TORCHINDUCTOR_NAN_ASSERTS', '1')", set()),
        ("os.environ[settings['other']] = '1'", set()),
    ],
)
def test_what_a_file_of_settings_sets_too_late(line: str, told: set[int], tmp_path: Path) -> None:
    name = "TORCHINDUCTOR_NAN_ASSERTS"
    held = {"variables": {name: 1, "SHOP": "a"}, "asserts": "1", "off": "0", "other": "SHOP"}
    tmp_path.joinpath("settings.json").write_text(json.dumps(held), encoding="utf-8")
    script = f"{SET_BY_A_FILE}{line}\nprint(torch.compile(torch.nn.ReLU())(torch.ones(4)))\n"
    assert said(tmp_path, script=script) == ({"AOTI501": told} if told else {})


def test_the_check_after_a_first_call(tmp_path: Path) -> None:
    first = f"import os\nimport torch\n{SERVE}"
    later = 'os.environ["AOTI_RUNTIME_CHECK_INPUTS"] = "1"\n'
    assert said(tmp_path, script=f"{first}{later}run(torch.ones(4, 8))\n") == {"AOTI501": {6}}
    # Nothing is called again.
    assert said(tmp_path, script=f"{first}{later}") == {}
    # Another model reads it at its own first call.
    another = 'other = torch._inductor.aoti_load_package("other.pt2")\nother(torch.ones(4, 8))\n'
    assert said(tmp_path, script=f"{first}{later}{another}") == {}
    # It was on before.
    already = first.replace("import torch\n", f"{later}import torch\n")
    assert said(tmp_path, script=f"{already}{later}run(torch.ones(4, 8))\n") == {}


def test_the_phase_of_a_setting(tmp_path: Path) -> None:
    asserts = 'import os\nos.environ["TORCHINDUCTOR_NAN_ASSERTS"] = "1"\nimport torch\n'
    assert said(tmp_path, serve=asserts + SERVE) == {"AOTI502": {2}}
    # It compiles something as well.
    assert said(tmp_path, serve=f"{asserts}{SERVE}torch.compile(torch.nn.ReLU())(torch.ones(2))\n") == {}
    # Another package may compile.
    assert said(tmp_path, serve=f"{asserts}import vllm\n{SERVE}vllm.go(run)\n") == {}
    assert said(tmp_path, serve=f"{asserts}import fastapi\n{SERVE}app = fastapi.FastAPI()\n") == {"AOTI502": {2}}
    # A child may compile.
    assert said(tmp_path, serve=f'{asserts}{SERVE}os.system("make")\n') == {}
    # Off is no mistake.
    assert said(tmp_path, serve=asserts.replace('"1"', '"0"') + SERVE) == {}
    assert said(tmp_path, serve=f"import torch\ntorch._inductor.config.nan_asserts = True\n{SERVE}") == {"AOTI502": {2}}


def test_a_setting_for_a_child(tmp_path: Path) -> None:
    child = 'subprocess.run(["make"], env={**os.environ, "TORCHINDUCTOR_NAN_ASSERTS": "1"})\n'
    assert said(tmp_path, serve=f"import os\nimport subprocess\nimport torch\n{SERVE}{child}") == {}
    check_on = child.replace("TORCHINDUCTOR_NAN_ASSERTS", "AOTI_RUNTIME_CHECK_INPUTS")
    assert said(tmp_path, serve=f"import os\nimport subprocess\nimport torch\n{BUILD}{check_on}") == {}


def outside(folder: Path, shell: str) -> dict[str, set[int]]:
    """What is said of a shell script that runs build.py and serve.py."""
    for name, text in {
        "run.sh": shell,
        "build.py": f"import torch\n{BUILD}",
        "serve.py": f"import torch\n{SERVE}",
    }.items():
        (folder / name).write_text(text, encoding="utf-8")
    return said(folder, shell="run.sh")


def test_the_phase_of_a_setting_from_outside(tmp_path: Path) -> None:
    both = "export TORCHINDUCTOR_MAX_AUTOTUNE=1\nexport AOTI_RUNTIME_CHECK_INPUTS=1\npython build.py\npython serve.py\n"
    assert outside(tmp_path, both) == {}
    each = "TORCHINDUCTOR_MAX_AUTOTUNE=1 python build.py\nAOTI_RUNTIME_CHECK_INPUTS=1 python serve.py\n"
    assert outside(tmp_path, each) == {}
    swapped = "AOTI_RUNTIME_CHECK_INPUTS=1 python build.py\nTORCHINDUCTOR_MAX_AUTOTUNE=1 python serve.py\n"
    assert outside(tmp_path, swapped) == {"AOTI502": {1, 2}}


def test_a_function_of_a_script(tmp_path: Path) -> None:
    function = '\ndef start():\n    os.environ["TORCHINDUCTOR_NAN_ASSERTS"] = "1"\n    run(torch.ones(4, 8))\n'
    assert said(tmp_path, serve=f"import os\nimport torch\n{SERVE}{function}") == {"AOTI502": {8}}
    # Who loads something for others does not know what they do.
    library = function.replace("start()", "start(path)").replace("run(", "torch._inductor.aoti_load_package(path)(")
    assert said(tmp_path, serve=f"import os\nimport torch\n{library}") == {}


def test_the_check_belongs_to_the_run(tmp_path: Path) -> None:
    check_on = 'import os\nos.environ["AOTI_RUNTIME_CHECK_INPUTS"] = "1"\nimport torch\n'
    assert said(tmp_path, build=check_on + BUILD) == {"AOTI502": {2}}
    # The other script of the project sets it, too.
    assert said(tmp_path, build=check_on + BUILD, serve=check_on + SERVE) == {}
    (tmp_path / "serve.py").unlink()
    # The minifier runs what is compiled.
    assert said(tmp_path, build=f'import os\nos.environ["DUMP_AOTI_MINIFIER"] = "1"\n{check_on}{BUILD}') == {}
    assert said(tmp_path, build=f"{check_on}{BUILD}torch._inductor.aoti_load_package(path)(torch.ones(4, 8))\n") == {}
    # Torch 2.6 has no such variable: AOTI503.
    assert said(tmp_path, build=check_on + BUILD, torch="2.6") == {"AOTI503": {2}}


NAMES = {
    'os.environ["TORCHINDUCTOR_NAN_ASSERT"] = "1"': {"AOTI503"},
    'os.environ["AOTI_RUNTIME_CHECK_INPUT"] = "1"': {"AOTI503"},
    'os.environ["TORCHDYNAMO_VERBSOE"] = "1"': {"AOTI503"},
    'os.environ["TORCHINDUCTOR_TRITON_CUDAGRAPHS"] = "1"': {"AOTI503"},
    'os.environ["AOT_INDUCTOR_RUNTIME_CHECK_INPUTS"] = "1"': {"AOTI503"},
    'os.environ["TORCH_INDUCTOR_NAN_ASSERTS"] = "1"': {"AOTI503"},
    'os.environ["TORCHINDUCTOR_NAN_ASSERTS"] = "1"': set(),
    # Names that others own, though some torch reads them.
    'os.environ["TORCHCOMM_RANK"] = "0"': set(),
    'os.environ["TORCH_HOME"] = "/cache"': set(),
    'os.environ["TORCH_EXTENSIONS_DIR"] = "/cache"': set(),
    'os.environ["TORCH_CUDA_ARCH_LIST"] = "9.0"': set(),
    'os.environ["TRITON_CACHE_DIR"] = "/cache"': set(),
    'os.environ["AOTI_MODEL_PATH"] = "net.pt2"': set(),
    'os.environ["TORCHINDUCTOR_NPU_BACKEND"] = "mlir"': set(),
    'os.environ["TORCH_COMPILE_MODEL"] = "1"': set(),
    'os.environ["VLLM_TORCH_COMPILE_LEVEL"] = "3"': set(),
}


@pytest.mark.parametrize(("line", "codes"), NAMES.items())
def test_names(line: str, codes: set[str], tmp_path: Path) -> None:
    assert set(said(tmp_path, script=f"import os\n{line}\nimport torch\ntorch.export.export\n")) == codes


@pytest.mark.parametrize("reader", ["runner.py", "csrc/run.cpp", "run.sh"])
def test_a_name_that_the_project_reads_itself(reader: str, tmp_path: Path) -> None:
    script = 'import os\nos.environ["AOTI_RUNTIME_CHECK_INPUT"] = "1"\nimport torch\ntorch.export.export\n'
    texts = {
        "runner.py": 'import os\nON = os.environ.get("AOTI_RUNTIME_CHECK_INPUT")\n',
        "csrc/run.cpp": 'bool on() { return getenv("AOTI_RUNTIME_CHECK_INPUT") != nullptr; }\n',
        "run.sh": 'if [ -n "$AOTI_RUNTIME_CHECK_INPUT" ]; then echo; fi\n',
    }
    assert set(said(tmp_path, script=script)) == {"AOTI503"}
    path = tmp_path / reader
    path.parent.mkdir(exist_ok=True)
    path.write_text(texts[reader], encoding="utf-8")
    assert said(tmp_path, script=script) == {}


VALUES = {
    ("TORCHINDUCTOR_NAN_ASSERTS", "true"): True,
    ("TORCHINDUCTOR_NAN_ASSERTS", "1"): False,
    ("TORCHINDUCTOR_NAN_ASSERTS", "0"): False,
    ("TORCHINDUCTOR_NAN_ASSERTS", "false"): False,
    ("TORCHINDUCTOR_NAN_ASSERTS", " 1"): True,
    ("AOTI_RUNTIME_CHECK_INPUTS", "1"): False,
    ("AOTI_RUNTIME_CHECK_INPUTS", "0"): False,
    ("AOTI_RUNTIME_CHECK_INPUTS", "false"): True,
    ("AOTI_RUNTIME_CHECK_INPUTS", ""): True,
    ("PYTORCH_NO_CUDA_MEMORY_CACHING", "0"): False,
    ("PYTORCH_NO_CUDA_MEMORY_CACHING", "true"): True,
    ("TORCHDYNAMO_EXTENDED_DEBUG_CPP", "0"): True,
    ("TORCH_SHOW_CPP_STACKTRACES", "yes"): True,
    ("PYTORCH_NO_CUDA_MEMORY_CACHING", "1"): False,
    ("AOTINDUCTOR_REPRO_LEVEL", "3"): False,
    ("AOTINDUCTOR_REPRO_LEVEL", "high"): True,
    ("AOT_INDUCTOR_DEBUG_INTERMEDIATE_VALUE_PRINTER", "3"): False,
    ("AOT_INDUCTOR_DEBUG_INTERMEDIATE_VALUE_PRINTER", "4"): True,
    ("AOT_INDUCTOR_DEBUG_INTERMEDIATE_VALUE_PRINTER", "on"): True,
    ("TORCHDYNAMO_REPRO_AFTER", "inductor"): True,
    ("TORCHDYNAMO_REPRO_AFTER", "aot"): False,
    ("TORCH_LOGS", "+dynamo, graph_breaks"): False,
    ("TORCH_LOGS", "guard"): True,
    ("TORCH_LOGS", "torch._inductor.scheduler"): False,
    ("TORCH_LOGS", "all"): False,
    ("TORCH_LOGS", "+dynamo;graph_breaks"): True,
    ("TORCH_LOGS", "help"): False,
    ("TORCH_COMPILE_DEBUG", "1"): False,
    ("CXX", "clang++"): False,
    ("TORCHINDUCTOR_CACHE_DIR", "0"): False,
    ("TORCHINDUCTOR_COMPILE_THREADS", "4"): False,
}


@pytest.mark.parametrize(("flag", "wrong"), VALUES.items(), ids=map("=".join, VALUES))
def test_values(flag: tuple[str, str], wrong: bool, tmp_path: Path) -> None:
    name, value = flag
    script = f'import os\nos.environ["{name}"] = {value!r}\nimport torch\ntorch.export.export\n'
    assert said(tmp_path, script=script) == ({"AOTI504": {2}} if wrong else {})


def test_a_zero_is_on_in_2_7(tmp_path: Path) -> None:
    script = f'import os\nos.environ["AOTI_RUNTIME_CHECK_INPUTS"] = "0"\nimport torch\n{SERVE}'
    assert said(tmp_path, script=script, torch="2.7") == {"AOTI504": {2}}
    assert said(tmp_path, script=script, torch="2.8") == {}


def test_settings_from_outside(tmp_path: Path) -> None:
    """What a shell script sets is judged as what a script sets."""
    (tmp_path / "run.sh").write_text(
        "export TORCHINDUCTOR_NAN_ASSERTS=true\n"
        "export TORCHINDUCTOR_NAN_ASSERT=1\n"
        "AOT_INDUCTOR_FILTERED_KERNELS_TO_PRINT=k python build.py\n",
        encoding="utf-8",
    )
    (tmp_path / "build.py").write_text(f"import torch\n{BUILD}", encoding="utf-8")
    named = [str(tmp_path / "run.sh"), str(tmp_path / "build.py")]
    document = check(Options(named, Config(), cache=False, torch_version="2.13")).document
    found = [(Path(item["filename"]).name, item["location"]["row"], item["code"]) for item in document["diagnostics"]]
    assert sorted(found) == [("run.sh", 1, "AOTI504"), ("run.sh", 2, "AOTI503"), ("run.sh", 3, "AOTI505")]


def test_a_log_of_a_module_of_the_project(tmp_path: Path) -> None:
    script = 'import os\nos.environ["TORCH_LOGS"] = "guard"\nimport torch\ntorch.export.export\n'
    assert said(tmp_path, script=script) == {"AOTI504": {2}}
    assert said(tmp_path, script=script, guard="") == {}


def test_an_error_that_is_handled(tmp_path: Path) -> None:
    script = 'import torch\nconfig = {"aot_inductor.debug_intermediate_value_printer": "4"}\n%s'
    call = f"{BUILD.strip()[:-1]}, inductor_configs=config)"
    indented = "try:\n    " + call.replace("\n", "\n    ") + "\nexcept ValueError:\n    pass\n"
    assert set(said(tmp_path, script=script % call)) == {"AOTI504"}
    assert said(tmp_path, script=script % indented) == {}


PRINTER = 'os.environ["AOT_INDUCTOR_DEBUG_INTERMEDIATE_VALUE_PRINTER"] = '
FILTER = 'os.environ["AOT_INDUCTOR_FILTERED_KERNELS_TO_PRINT"] = "k"'


@pytest.mark.parametrize(
    ("printer", "wrong"),
    [
        (f'{PRINTER}"2"', False),
        (f'{PRINTER}"1"', True),
        ("", True),
        (f"{PRINTER}os.environ['MODE']", False),
        ('torch._inductor.config.aot_inductor.debug_intermediate_value_printer = "2"', False),
        ('torch._inductor.config.aot_inductor.debug_intermediate_value_printer = "3"', True),
    ],
)
def test_a_filter(printer: str, wrong: bool, tmp_path: Path) -> None:
    lines = [FILTER, printer] if "config" not in printer else [FILTER]
    script = "\n".join(["import os", *lines, "import torch", printer if "config" in printer else "", BUILD])
    assert said(tmp_path, script=script) == ({"AOTI505": {2}} if wrong else {})


def test_a_filter_in_the_call(tmp_path: Path) -> None:
    call = f"import torch\n{BUILD.strip()[:-1]}, inductor_configs={{%s}})\n"
    chosen, mode = '"aot_inductor.filtered_kernel_names": "k"', '"aot_inductor.debug_intermediate_value_printer": "2"'
    assert set(said(tmp_path, script=call % chosen)) == {"AOTI505"}
    assert said(tmp_path, script=call % f"{chosen}, {mode}") == {}


def test_nan_asserts_by_device(tmp_path: Path) -> None:
    head = 'import os\nos.environ["TORCHINDUCTOR_NAN_ASSERTS"] = "1"\nimport torch\n'
    model = "\nmodel = torch.nn.Linear(8, 8){}\nprogram = torch.export.export(model, (torch.ones(4, 8{}),))\n"
    build = "torch._inductor.aoti_compile_and_package(program)\n"
    assert said(tmp_path, script=head + model.format("", "") + build) == {"AOTI506": {2}}
    assert said(tmp_path, script=head + model.format(".cuda()", ", device='cuda'") + build) == {}
    either = "\ndevice = 'cuda' if torch.cuda.is_available() else 'cpu'" + model.format(
        ".to(device)", ", device=device"
    )
    assert said(tmp_path, script=head + either + build) == {}


def test_an_infinity_on_purpose(tmp_path: Path) -> None:
    script = """
import os
os.environ["TORCHINDUCTOR_NAN_ASSERTS"] = "1"
import torch

class Net(torch.nn.Module):
    def forward(self, x, mask):
        return x.masked_fill(mask, {}).softmax(-1)

program = torch.export.export(Net().cuda(), (torch.ones(4, 8, device="cuda"), torch.ones(4, 8, device="cuda")))
torch._inductor.aoti_compile_and_package(program)
"""
    pedantic = set(said(tmp_path, pedantic=True, script=script.format("float('-inf')")))
    assert pedantic == {"AOTI506", "AOTI509"}
    assert said(tmp_path, pedantic=True, script=script.format("-1e9")).keys() == {"AOTI509"}


def test_the_level_of_the_minifier(tmp_path: Path) -> None:
    head = 'import os\nos.environ["DUMP_AOTI_MINIFIER"] = "1"\n'
    hunt = 'os.environ["CUDA_LAUNCH_BLOCKING"] = "1"\n'
    assert set(said(tmp_path, pedantic=True, debug_it=f"{head}{hunt}import torch\n{BUILD}")) == {"AOTI507"}
    assert said(tmp_path, pedantic=True, debug_it=f"{head}import torch\n{BUILD}") == {}
    level = 'os.environ["AOTINDUCTOR_REPRO_LEVEL"] = "3"\n'
    assert said(tmp_path, pedantic=True, debug_it=f"{head}{hunt}{level}import torch\n{BUILD}") == {}


BOUNDS = """
import os
{check}
import torch
batch = torch.export.Dim("batch"{bounds})
program = torch.export.export(torch.nn.ReLU(), (torch.ones(4, 8),), dynamic_shapes=({{0: batch}},))
run = torch._inductor.aoti_load_package(torch._inductor.aoti_compile_and_package(program))
run(torch.ones({size}, 8))
"""
ON = 'os.environ["AOTI_RUNTIME_CHECK_INPUTS"] = "1"'


@pytest.mark.parametrize(
    ("check_on", "bounds", "size", "wrong"),
    [
        (ON, ", min=1, max=64", "1", True),
        (ON, "", "1", True),
        (ON, ", max=64", "1", True),
        (ON, ", min=1, max=64", "2", False),
        (ON, ", min=2, max=64", "1", False),  # a size the Dim forbids is another fault
        ("", ", min=1, max=64", "1", False),
        (ON.replace('"1"', '"0"'), ", min=1", "1", False),
    ],
)
def test_the_lower_bound(check_on: str, bounds: str, size: str, wrong: bool, tmp_path: Path) -> None:
    script = BOUNDS.format(check=check_on, bounds=bounds, size=size)
    assert said(tmp_path, script=script) == ({"AOTI508": {8}} if wrong else {})


LEFT_ON = {
    "torch._dynamo.config.suppress_errors = True": True,
    "torch._dynamo.config.suppress_errors = False": False,
    "torch._inductor.config.force_disable_caches = True": True,
    'if os.environ.get("DEBUG"):\n    torch._dynamo.config.suppress_errors = True': False,
    "with torch._dynamo.config.patch(suppress_errors=True):\n    pass": False,
    "torch._inductor.config.aot_inductor.debug_compile = True\n"
    "torch._inductor.config.aot_inductor.debug_compile = False": False,
}


@pytest.mark.parametrize(("lines", "wrong"), LEFT_ON.items())
def test_left_on(lines: str, wrong: bool, tmp_path: Path) -> None:
    script = f"import os\nimport torch\n{lines}\n{BUILD}"
    assert said(tmp_path, pedantic=True, build=script) == ({"AOTI509": {3}} if wrong else {})
    assert said(tmp_path, build=script) == {}
    (tmp_path / "build.py").unlink()
    assert said(tmp_path, pedantic=True, test_build=script) == {}


CHILD = """
import os, subprocess, sys
import torch
if sys.argv[1:]:
    {child}
    sys.exit()
program = torch.export.export(torch.nn.ReLU(), (torch.ones(4, 8),))
torch._inductor.aoti_compile_and_package(program, package_path="net.pt2")
subprocess.run([sys.executable, __file__, "run"], env={{**os.environ, "TORCHINDUCTOR_NAN_ASSERTS": "1"}})
"""


def test_a_setting_of_the_compile_for_a_program_that_only_runs(tmp_path: Path) -> None:
    loads = 'torch._inductor.aoti_load_package("net.pt2")(torch.ones(4, 8))'
    assert said(tmp_path, both=CHILD.format(child=loads)) == {"AOTI502": {9}}


def test_a_setting_of_the_compile_for_a_program_that_compiles(tmp_path: Path) -> None:
    builds = "torch.compile(torch.nn.ReLU())(torch.ones(4, 8))"
    assert "AOTI502" not in said(tmp_path, both=CHILD.format(child=builds))
    assert "AOTI502" not in said(tmp_path, both=CHILD.format(child="import builder; builder.main()"))


def test_a_setting_of_the_compile_for_another_script(tmp_path: Path) -> None:
    start = (
        "import os, subprocess, sys\n"
        "env = os.environ.copy()\n"
        "env['TORCHINDUCTOR_NAN_ASSERTS'] = '1'\n"
        "subprocess.run([sys.executable, '{}.py'], env=env, check=True)\n"
    )
    build, serve = f"import torch\n{BUILD}", f"import torch\n{SERVE}"
    assert said(tmp_path, start=start.format("serve"), build=build, serve=serve) == {"AOTI502": {3}}
    assert "AOTI502" not in said(tmp_path, start=start.format("build"), build=build, serve=serve)


INJECTED = "import torch\ntorch._inductor.config.{} = {}\n" + BUILD


def test_bugs_that_are_put_in_on_purpose(tmp_path: Path) -> None:
    key = "triton.inject_relu_bug_TESTING_ONLY"
    assert said(tmp_path, build=INJECTED.format(key, "'accuracy'")) == {"AOTI509": {2}}
    assert said(tmp_path, build=INJECTED.format(key, "None")) == {}
    (tmp_path / "build.py").unlink()
    assert said(tmp_path, test_minifier=INJECTED.format(key, "'accuracy'")) == {}


def test_set_logs_reads_the_variable_again(tmp_path: Path) -> None:
    """Where TORCH_LOGS is set, it does nothing. Run on torch 2.13."""
    text = 'import os\nimport torch\nos.environ["TORCH_LOGS"] = "dynamo"\n'
    for name, more in (("alone", ""), ("read", "torch._logging.set_logs(inductor=10)\n")):
        (tmp_path / name).mkdir()
        assert said(tmp_path / name, script=text + more) == ({"AOTI523": {4}} if more else {"AOTI501": {3}})


def test_what_a_file_does_when_it_is_imported_is_not_done_before_it_runs_as_a_script(tmp_path: Path) -> None:
    text = "import os, torch\ntorch._logging.set_logs(dynamo=10)\nos.environ['TORCH_LOGS'] = '-all'\n"
    text += "if __name__ == '__main__':\n    torch.compile(torch.nn.Linear(2, 2))(torch.ones(2))\n"
    assert said(tmp_path, script=text) == {"AOTI501": {3}}
