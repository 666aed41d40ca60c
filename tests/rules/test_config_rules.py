"""What looks wrong to the rules about settings and `torch.compile` and is right, and what depends on the release."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judging import lint_files


def codes(folder: Path, text: str, torch: str = "2.13", **others: str) -> list[tuple[str, str]]:
    """Code and severity of all that is said of a script, but advice."""
    files = {"script.py": text, **{f"{name}.py": inner for name, inner in others.items()}}
    found = lint_files(folder / "run", files, torch=torch)
    return [(item.code, item.severity) for item in found if item.severity != "info"]


CONFIG = "import torch\nimport torch._inductor.config as config\n"

RIGHT = {
    "asked for": CONFIG + "if hasattr(config, 'no_such'):\n    config.no_such = 1\n",
    "asked of the settings": CONFIG + "if 'no_such' in config.get_config_copy():\n    config.no_such = 1\n",
    "handled": CONFIG + "try:\n    config.no_such = 1\nexcept AttributeError:\n    pass\n",
    "handled by a decorator's caller": CONFIG
    + "import pytest\ndef test_it():\n    with pytest.raises(AttributeError):\n        config.no_such = 1\n",
    "read with a default": CONFIG + "old = getattr(config, 'no_such', None)\n",
    "what the module defines": CONFIG + "config.is_fbcode(), config.get_config_copy(), config.save_config()\n",
    "a group": CONFIG + "triton = config.triton\ntriton.cudagraphs = True\n",
    "dashes in options": CONFIG + "torch.compile(m, options={'max-autotune': True})\n",
    "the filter of guards": CONFIG + "torch.compile(m, options={'guard_filter_fn': lambda g: g})\n",
    "options of another backend": CONFIG + "torch.compile(m, backend='mine', options={'no_such': 1})\n",
    "settings of something else": "config = load()\nimport torch\nconfig.no_such = 1\ntorch.compile(m)\n",
    "None for a setting that may be None": CONFIG + "config.aot_inductor.filtered_kernel_names = None\n",
    "a number for a switch": CONFIG + "config.max_autotune = 1\n",
    "a value nobody knows": CONFIG + "import sys\nconfig.max_autotune = sys.argv[1]\n",
    "a mode nobody knows": CONFIG + "import sys\ntorch.compile(m, mode=sys.argv[1])\n",
    "mode or options": CONFIG
    + "import sys\nkw = {'mode': 'default'} if len(sys.argv) > 1 else {'options': {}}\ntorch.compile(m, **kw)\n",
    "no mode": CONFIG + "torch.compile(m, mode=None, options={'max_autotune': True})\n",
    "a backend of the project": "import torch\nfrom torch._dynamo import register_backend\n"
    "@register_backend\ndef inductr(gm, inputs):\n    return gm\ntorch.compile(m, backend='inductr')\n",
    "a backend of a package": CONFIG + "torch.compile(m, backend='openvino')\n",
    "a backend that takes a mode": CONFIG + "torch.compile(m, backend=own, mode='reduce-overhead')\n",
    "printing where graphs may break": CONFIG
    + "@torch.compile\ndef f(x):\n    print(x)\n    return x\nf(torch.ones(2))\n",
    "printing outside": CONFIG
    + "@torch.compile(fullgraph=True)\ndef f(x):\n    return x\ny = f(torch.ones(2))\nprint(y)\n",
    "printing on purpose": CONFIG
    + "@torch.compile(fullgraph=True, disable=True)\ndef f(x):\n    print(x)\n    return x\nf(torch.ones(2))\n",
    "allowed to print": CONFIG
    + "torch._dynamo.config.reorderable_logging_functions.add(print)\n"
    + "@torch.compile(fullgraph=True)\ndef f(x):\n    print(x)\n    return x\nf(torch.ones(2))\n",
    "max-autotune on the CPU": CONFIG
    + "f = torch.compile(torch.nn.Linear(2, 2), mode='max-autotune')\nf(torch.ones(2))\n",
    "on the device of the option": CONFIG + "import sys\nf = torch.compile(torch.nn.Linear(2, 2).to(sys.argv[1]), "
    "mode='reduce-overhead')\nf(torch.ones(2, device=sys.argv[1]))\n",
    "graphs turned off by hand": CONFIG
    + "config.triton.cudagraphs = False\n@torch.compile(mode='reduce-overhead')\ndef f(x):\n    return x + 1\n"
    + "x = f(torch.ones(2, device='cuda'))\nf(x.clone())\nprint(x)\n",
    "a progress bar": CONFIG + "config.verbose_progress, config.disable_progress = True, False\n",
}


@pytest.mark.parametrize("name", RIGHT)
def test_what_is_right_is_left_alone(name: str, tmp_path: Path) -> None:
    assert codes(tmp_path, RIGHT[name]) == []


@pytest.mark.parametrize(
    ("line", "torch", "said"),
    [
        ("config.aot_inductor.check_lowerbound = False", "2.9", [("AOTI510", "error")]),
        ("config.aot_inductor.check_lowerbound = False", "2.8..2.13", [("AOTI510", "warning")]),
        ("config.aot_inductor.check_lowerbound = False", "2.10..2.13", []),
        ("torch.compile(m, options={'guard_filter_fn': f})", "2.7", [("AOTI510", "error")]),
        ("torch.compile(m, options={'npu.fast': True})", "2.14", [("AOTI510", "error")]),
        ("torch.compile(m, options={'npu.fast': True})", "2.15", []),
        ("torch.compile(m, options={'triton.max_tiles': True})", "2.5", [("AOTI511", "error")]),
        ("torch.compile(m, options={'triton.max_tiles': True})", "2.6", []),
        ("torch.compile(m, mode='lite')", "2.9", [("AOTI512", "error")]),
        ("torch.compile(m, mode='lite')", "2.9..2.10", [("AOTI512", "warning")]),
        ("torch.compile(m, mode='lite')", "2.10", []),
        ("torch.compile(m, backend='eager', mode='reduce-overhead')", "2.4", [("AOTI512", "error")]),
        ("torch.compile(m, backend='eager', mode='reduce-overhead')", "2.5", [("AOTI512", "warning")]),
        ("torch.compile(m, backend='inductr')", "2.13", [("AOTI512", "warning")]),
    ],
)
def test_what_the_release_decides(line: str, torch: str, said: list[tuple[str, str]], tmp_path: Path) -> None:
    assert codes(tmp_path, f"{CONFIG}{line}\n", torch) == said


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("kw = dict(mode='max-autotune')\nkw['options'] = {}\ntorch.compile(m, **kw)", "AOTI512"),
        ("@torch.compile(mode='max-autotune', options={'max_autotune': True})\ndef f(x):\n    return x", "AOTI512"),
        ("torch.compile(m, dynamic={'x': 1})", "AOTI512"),
        ("torch._dynamo.config.cache_size_limits = 3", "AOTI510"),
        ("print(config.max_autotunee)", "AOTI510"),
        ("with config.patch(max_autotunee=True):\n    pass", "AOTI510"),
        ("setattr(config, 'triton.cudagraph', True)", "AOTI510"),
        ("torch._dynamo.config.suppress_errors = '0'", "AOTI511"),
        ("config.max_autotune = 'no' if m else 'yes'", "AOTI511"),
    ],
)
def test_other_ways_to_write_the_mistakes(line: str, code: str, tmp_path: Path) -> None:
    assert [found for found, _ in codes(tmp_path, f"{CONFIG}{line}\n")] == [code]


def test_a_step_that_is_marked_keeps_its_own_results_only(tmp_path: Path) -> None:
    """Run on torch 2.11 with an NVIDIA GPU: without a mark between the calls both results can be read."""
    text = (
        "import torch\nrun = torch.compile(torch.nn.Linear(8, 8).cuda(), mode='reduce-overhead')\n"
        "x = torch.ones(2, 8, device='cuda')\nstep = torch.compiler.cudagraph_mark_step_begin\n"
        "with torch.no_grad():\n    step()\n    old = run(x)\n{}    new = run(x)\n    print(old + new)\n"
    )
    assert codes(tmp_path / "kept", text.format("")) == []
    assert codes(tmp_path / "lost", text.format("    step()\n")) == [("AOTI514", "error")]


@pytest.mark.parametrize(("imports", "found"), [("", [("AOTI514", "error")]), ("import script\n", [])])
def test_what_another_script_turns_off_is_off_there(imports: str, found: list[tuple[str, str]], tmp_path: Path) -> None:
    text = (
        "import torch\nrun = torch.compile(torch.nn.Linear(8, 8).cuda(), mode='reduce-overhead')\n"
        "x = torch.ones(2, 8, device='cuda')\nwith torch.no_grad():\n    old = run(x)\n"
        "    torch.compiler.cudagraph_mark_step_begin()\n    new = run(x)\n    print(old + new)\n"
    )
    other = f"import torch\ntorch._inductor.config.triton.cudagraphs = False\n{imports}"
    assert codes(tmp_path, text, other=other) == found


def test_settings_that_a_text_holds(tmp_path: Path) -> None:
    script = """import json
import torch

TUNING = '{"max_autotune": false, "cpp.wrapper_threads": 1}'
program = torch.export.export(torch.nn.ReLU(), (torch.randn(2),))
torch._inductor.aoti_compile_and_package(program, inductor_configs=json.loads(TUNING))
"""
    found = lint_files(tmp_path / "run", {"script.py": script})
    assert [(item.code, "cpp.wrapper_threads" in item.message) for item in found] == [("AOTI510", True)]


ADDED = """
from torch.utils._config_module import Config, _ConfigEntry
import torch._inductor.config as settings

settings._config["npu_backend"] = _ConfigEntry(Config(default="default", value_type=str), "npu_backend")
"""
USED = """
import torch
import npu_settings

torch._inductor.config.npu_backend = "mlir"
torch._inductor.config.npu_backends = "mlir"
torch.compile(lambda x: x + 1, options={"npu_backend": "dvm"})(torch.zeros(2))
"""


def test_a_project_may_add_settings_of_its_own(tmp_path: Path) -> None:
    """Run on torch 2.13: the line in the middle raises, the others do not."""
    assert codes(tmp_path, USED, npu_settings=ADDED) == [("AOTI510", "error")]


def test_an_option_may_have_the_name_of_a_setting(tmp_path: Path) -> None:
    text = (
        "import argparse\nimport torch._dynamo\nparser = argparse.ArgumentParser()\n"
        "parser.add_argument('--print-graph-breaks', action='store_true')\n"
        "if parser.parse_args().print_graph_breaks:\n    torch._dynamo.config.print_graph_breaks = True\n"
    )
    assert codes(tmp_path, text) == [("AOTI510", "error")]


def test_a_function_that_speaks_of_functorch_alone_is_followed(tmp_path: Path) -> None:
    text = (
        "import torch\ndef run(gm):\n    with torch._functorch.config.patch('force_autograd_caches_', True):\n"
        "        return gm()\n"
    )
    assert codes(tmp_path, text) == [("AOTI510", "error")]
    assert not codes(tmp_path / "right", text.replace("caches_", "cache"))
