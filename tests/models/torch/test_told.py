"""What the rules are told of calls, settings, and of what torch had read by then."""

from __future__ import annotations

import pytest

from aoti_lint.torch_api.versions import SUPPORTED, VersionSet
from aoti_lint.values.choices import leaves
from aoti_lint.values.events.api import ApiCall
from aoti_lint.values.events.compiled import CompiledCall
from aoti_lint.values.events.exports import ExportEvent
from aoti_lint.values.events.process import ConfigWrite, EnvWrite, ProcessStart
from aoti_lint.values.torch_values import Device
from aoti_lint.values.values import ABSENT, TRUE, Begun, Choice, Const, Pairs, Ref, Tup, Value
from tests.snippets import run, told

INDUCTOR = "torch._inductor.config"

# ---------------------------------------------------------------- calls


def test_a_call_is_told_with_what_it_was_given_then() -> None:
    ran = run(
        "import torch\n"
        "options = {'a': [1]}\n"
        "path = 'm.pt2'\n"
        "torch._inductor.aoti_compile_and_package(ep, path, inductor_configs=options)\n"
        "options['a'].append(2)\n"
    )
    (call,) = told(ran, ApiCall)
    assert call.name == "torch._inductor.aoti_compile_and_package"
    assert call.arg(1) == Const("m.pt2")
    assert call.arg(None, "inductor_configs") == Pairs(((Const("a"), Tup((Const(1),), (), Ref("list"))),))
    assert call.arg(2) is None
    assert not call.open


def test_places_and_kinds_of_arguments() -> None:
    text = "import torch\ntorch.export.export(torch.nn.Linear(1, 2), [torch.ones(1)], strict=True)\n"
    ran = run(text)
    (call,) = told(ran, ApiCall)
    at = call.place(1)
    assert text[at.start : at.end] == "[torch.ones(1)]"
    at = call.place(None, "strict")
    assert text[at.start : at.end] == "strict=True"
    assert call.place(None, "kwargs") == call.span
    model, listed = call.args
    assert call.tag(model) == "Module"
    assert call.tag(listed) == "list"


def test_each_alternative_of_an_argument_has_its_kind() -> None:
    ran = run(
        "import torch, sys\n"
        "args = (torch.ones(1),) if sys.argv[1:] else torch.ones(1)\n"
        "torch.export.export(torch.nn.Linear(1, 2), args)\n"
    )
    (call,) = told(ran, ApiCall)
    given = call.args[1]
    assert isinstance(given, Choice)
    assert {call.tag(given.then), call.tag(given.other)} == {"tuple", "Tensor"}


def test_unknown_arguments_leave_a_call_open() -> None:
    (call,) = told(run("import torch\ntorch.export.export(*args, **more)\n"), ApiCall)
    assert call.open


def test_printing_is_told_only_inside_of_compiled_code() -> None:
    ran = run(
        "import torch\n"
        "print(1)\n"
        "def help(x):\n    print(x)\n    return x\n"
        "@torch.compile(fullgraph=True)\n"
        "def f(x):\n    return help(x)\n"
        "f(torch.ones(1))\n"
        "help(torch.ones(1))\n"
    )
    (call,) = [e for e in told(ran, ApiCall) if e.name == "print"]
    assert [one.option("fullgraph") for one in call.within] == [TRUE]


# ---------------------------------------------------------------- what torch.compile gives


@pytest.mark.parametrize(
    "made",
    [
        "f = torch.compile(plain, mode='max-autotune')",
        "f = torch.compile(mode='max-autotune')(plain)",
        "make = torch.compile\nf = make(plain, mode='max-autotune')",
        "import functools\nf = functools.partial(torch.compile, mode='max-autotune')(plain)",
        "@torch.compile(mode='max-autotune')\ndef f(x):\n    return plain(x)",
    ],
)
def test_calls_of_compiled_functions_are_told(made: str) -> None:
    ran = run(f"import torch\ndef plain(x):\n    return x + 1\n{made}\nf(torch.ones(2))\nplain(torch.ones(2))\n")
    (call,) = told(ran, CompiledCall)
    assert call.compilation.option("mode") == Const("max-autotune")


def test_a_compiled_module_is_the_module() -> None:
    ran = run(
        "import torch\n"
        "m = torch.nn.Linear(2, 3)\n"
        "c = torch.compile(m)\n"
        "m.to('cuda')\n"
        "y = c(torch.ones(1, 2, device='cuda'))\n"
        "z = m(torch.ones(1, 2, device='cuda'))\n"
    )
    assert len(told(ran, CompiledCall)) == 1
    assert ran.value("c").ident == ran.value("m").ident  # type: ignore[attr-defined]
    assert ran.value("m").compiled is None  # type: ignore[attr-defined]


def test_a_module_compiled_in_place() -> None:
    ran = run(
        "import torch\n"
        "m = torch.nn.Linear(2, 3).to('cuda')\n"
        "m(torch.ones(1, 2))\n"
        "m.compile(mode='reduce-overhead')\n"
        "m(torch.ones(1, 2))\n"
        "p = m.to\n"
    )
    (call,) = told(ran, CompiledCall)
    assert call.compilation.option("mode") == Const("reduce-overhead")


def test_a_compiled_method() -> None:
    ran = run(
        "import torch\n"
        "class A:\n    def step(self, x):\n        return x\n"
        "a = A()\na.step = torch.compile(a.step)\na.step(torch.ones(1))\n"
    )
    assert len(told(ran, CompiledCall)) == 1


# ---------------------------------------------------------------- settings


@pytest.mark.parametrize(
    ("write", "how"),
    [
        ("torch._inductor.config.triton.cudagraphs = True", "attribute"),
        ("import torch._inductor.config as c\nc.triton.cudagraphs = True", "attribute"),
        ("from torch._inductor import config\nconfig.triton.cudagraphs = True", "attribute"),
        ("setattr(torch._inductor.config, 'triton.cudagraphs', True)", "attribute"),
        ("setattr(torch._inductor.config.triton, 'cudagraphs', True)", "attribute"),
        ("with torch._inductor.config.patch({'triton.cudagraphs': True}):\n    pass", "patch"),
        ("with torch._inductor.config.patch('triton.cudagraphs', True):\n    pass", "patch"),
        ("@torch._inductor.config.patch({'triton.cudagraphs': True})\ndef f(): pass", "patch"),
        (
            "torch._inductor.aoti_compile_and_package(e, inductor_configs={'triton.cudagraphs': True})",
            "inductor_configs",
        ),
        ("o = dict()\no['triton.cudagraphs'] = True\ntorch._inductor.aot_compile(g, (), options=o)", "options"),
        ("torch.compile(m, options={'triton.cudagraphs': True})", "options"),
        ("torch.compile(m, backend='inductor', options={'triton.cudagraphs': True})", "options"),
    ],
)  # fmt: skip
def test_settings_that_are_written_are_told(write: str, how: str) -> None:
    (event,) = told(run(f"import torch\n{write}\n"), ConfigWrite)
    assert (event.module, event.key, event.value, event.how) == (INDUCTOR, "triton.cudagraphs", TRUE, how)


def test_options_of_another_backend_are_its_own() -> None:
    assert not told(run("import torch\ntorch.compile(m, backend='eager', options={'a': 1})\n"), ConfigWrite)


def test_the_place_of_a_setting_is_its_key() -> None:
    text = "import torch\ntorch.compile(m, options={'a': 1, 'b': 2})\n"
    places = [text[e.span.start : e.span.end] for e in told(run(text), ConfigWrite)]
    assert places == ["'a'", "'b'"]


# ---------------------------------------------------------------- what was read by then


def begun(text: str, **files: str) -> list[tuple[str, dict[str, Value]]]:
    ran = run(text, versions=VersionSet(["2.13"]), **files)
    return [(e.root, e.begun) for e in told(ran, EnvWrite)]


WRITE = "os.environ['TORCHINDUCTOR_NAN_ASSERTS'] = '1'\n"


def test_import_torch_does_not_read_the_settings_of_inductor() -> None:
    ((_, state),) = begun(f"import os\nimport torch\n{WRITE}")
    assert "torch._logging._internal" in state
    assert INDUCTOR not in state


@pytest.mark.parametrize(
    "action",
    [
        "torch.export.export(m, ())", "torch.compile(f)", "torch._inductor", "import torch._inductor.config",
        "from torch._inductor import config", "torch.optim.SGD(p).step()",
        "opt = torch.optim.adam.Adam(p)\nfor _ in range(3):\n    opt.step()",
    ],
)  # fmt: skip
def test_what_reads_the_settings_of_inductor(action: str) -> None:
    ((_, state),) = begun(f"import os\nimport torch\n{action}\n{WRITE}")
    assert isinstance(state[INDUCTOR], Begun)


def test_nothing_is_read_before_torch_is_imported() -> None:
    ((_, state),) = begun(f"import os\n{WRITE}import torch\ntorch.compile(f)\n")
    assert state == {}


def test_a_release_whose_import_reads_more() -> None:
    (event,) = told(run(f"import os\nimport torch\n{WRITE}", versions=VersionSet(["2.5"])), EnvWrite)
    assert isinstance(event.begun[INDUCTOR], Begun)


@pytest.mark.parametrize("action", ["torch.export.export(m, ())", "import torch._inductor.config"])
def test_in_every_release_the_settings_of_inductor_are_read_by_something(action: str) -> None:
    (event,) = told(run(f"import os\nimport torch\n{action}\n{WRITE}", versions=SUPPORTED), EnvWrite)
    assert {type(value) for _, value in leaves(event.begun[INDUCTOR])} == {Begun}  # By `import torch` in 2.5.


def test_on_one_branch() -> None:
    ((_, state),) = begun(f"import os, sys\nimport torch\nif sys.argv[1:]:\n    torch.compile(f)\n{WRITE}")
    found = state[INDUCTOR]
    assert isinstance(found, Choice)
    assert {type(found.then), type(found.other)} == {Begun, type(ABSENT)}


def test_a_helper_is_imported_too_late_by_one_of_two() -> None:
    helper = f"import os\n{WRITE}"
    early = begun("import helper\nimport torch\ntorch.compile(f)\n", helper=helper)
    assert [INDUCTOR in state for _, state in early] == [False]
    late = begun("import torch\ntorch.compile(f)\nimport helper\n", helper=helper)
    assert INDUCTOR in late[-1][1]


def test_what_starts_another_process_is_told() -> None:
    ran = run(
        "import os, subprocess, multiprocessing\n"
        "subprocess.run(['make'])\n"
        "multiprocessing.get_context('spawn').Process(target=print).start()\n"
        "os.path.join('a', 'b')\n"
        "os.execv('python', ['python'])\n"
    )
    names = [event.name for event in told(ran, ProcessStart)]
    assert names[0] == "subprocess.run"
    assert names[-1] == "os.execv"
    assert "multiprocessing.Process" in names
    assert all(not name.startswith("os.path") for name in names)


# ---------------------------------------------------------------- operations on several devices

ON_TWO = """import torch
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = torch.ones(4)
    def forward(self, x):
        return x * self.scale
net, x = Net(), torch.ones(2, 4, device='cuda')
"""


def test_an_export_tells_which_operations_take_tensors_on_several_devices() -> None:
    text = ON_TWO + "torch.export.export(net, (x,))\n"
    (event,) = told(run(text), ExportEvent)
    (mix,) = event.mixes
    assert text[mix.span.start : mix.span.end] == "x * self.scale"
    assert [one.device for one in mix.operands] == [Device("cuda"), Device("cpu")]
    assert [one.attribute for one in mix.operands] == ["", "scale"]
    assert mix.path == event.path
    spans = [one.span for one in mix.operands]
    assert [text[s.start : s.end] for s in spans if s is not None] == [
        "torch.ones(2, 4, device='cuda')",
        "torch.ones(4)",
    ]


def test_operations_outside_of_an_export_are_not_told() -> None:
    text = ON_TWO + "net(x)\ntorch.export.export(net, (x.cpu(),))\n"
    (event,) = told(run(text), ExportEvent)
    assert event.mixes == ()
