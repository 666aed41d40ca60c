"""What is told of code that nobody followed: literals that no release takes, and settings that no release has."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judging import lint_files

HEAD = "import torch\nfrom torch._inductor import config\nimport torch._dynamo.config as dynamo_config\nimport pytest\n"
FRAME = """

def run(fn, how):
    if how == "plain":
        return fn
{body}

if __name__ == "__main__":
    run(print, "plain")
"""


def told(folder: Path, body: str, head: str = HEAD, torch: str = "2.13") -> list[tuple[str, str, int]]:
    """Code, severity and row of what is said of a function whose last lines no option reaches."""
    text = head + FRAME.format(body="".join(f"    {line}\n" for line in body.splitlines()))
    found = lint_files(folder / "run", {"script.py": text}, torch=torch)
    return sorted((one.code, one.severity, one.row - head.count("\n") - 6) for one in found)


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("return torch.compile(fn, mode='max_autotune_')", "AOTI512"),
        ("return torch.compile(fn, fullgraph=True, backend='inducter')", "AOTI512"),
        ("return torch.compile(fn, dynamic='auto')", "AOTI512"),
        ("return torch.compile(fn, disable='fullgraph')", "AOTI512"),
        ("@torch.compile(mode='max_autotune')\ndef inner(x):\n    return x\nreturn inner", "AOTI512"),
        ("return torch.compile(fn, options={'max_autotunes': True})", "AOTI510"),
        ("return torch.compile(fn, options={'max-autotune': True, 'epilog_fusion': True})", "AOTI510"),
        ("config.max_autotunes = True", "AOTI510"),
        ("config.triton.cudagraph = True", "AOTI510"),
        ("torch._inductor.config.max_autotunes = True", "AOTI510"),
        ("dynamo_config.cache_size_limits = 64", "AOTI510"),
        ("with config.patch('max_autotunes', True):\n    return fn()", "AOTI510"),
        ("with torch._inductor.config.patch(max_autotunes=True):\n    return fn()", "AOTI510"),
        ("with torch._functorch.config.patch('force_autograd_caches_', True):\n    return fn()", "AOTI510"),
        ("import torch as t\nreturn lambda: t.compile(fn, mode='max_autotune')", "AOTI512"),
    ],
)  # fmt: skip
def test_what_no_release_takes_is_told_where_nobody_gets(body: str, code: str, tmp_path: Path) -> None:
    row = next(n for n, line in enumerate(body.splitlines()) if "import" not in line)
    assert told(tmp_path, body) == [(code, "warning", row)]


@pytest.mark.parametrize(
    "body",
    [
        "return torch.compile(fn, mode='max-autotune')",
        "return torch.compile(fn, mode='lite', backend='inductor')",
        "return torch.compile(fn, mode='mine', backend='openvino')",
        "return torch.compile(fn, mode='mine', backend=how)",
        "return torch.compile(fn, backend='tvm_of_mine')",
        "return fn.compile(fn, mode='max_autotune')",
        "text = \"torch.compile(fn, mode='max_autotune')\"\nreturn text",
        "# torch.compile(fn, mode='max_autotune')\nreturn fn",
        "try:\n    return torch.compile(fn, mode='max_autotune')\nexcept RuntimeError:\n    return fn",
        "with pytest.raises(RuntimeError):\n    torch.compile(fn, mode='max_autotune')",
        "pytest.raises(RuntimeError, lambda: torch.compile(fn, mode='max_autotune'))",
        "torch = fn\nreturn torch.compile(fn, mode='max_autotune')",
        "return torch.compile(fn, options={'max_autotunes': True}, backend=how)",
        "return torch.compile(fn, options={'max_autotune': True, 'triton.cudagraphs': True})",
        "config.max_autotune = True",
        "config.triton.cudagraphs = True",
        "config.of_this_project = True",
        "if hasattr(config, 'max_autotunes'):\n    config.max_autotunes = True",
        "if 'max_autotunes' in dir(config):\n    config.max_autotunes = True",
        "if torch.__version__ < '2.1':\n    config.max_autotunes = True",
        "fn.config.max_autotunes = True",
        "with config.patch('max_autotune', True):\n    return fn()",
    ],
)  # fmt: skip
def test_what_may_be_right_is_not(body: str, tmp_path: Path) -> None:
    assert told(tmp_path, body) == []


def test_what_was_followed_is_told_once(tmp_path: Path) -> None:
    text = "import torch\ndef run(fn):\n    return torch.compile(fn, mode='max_autotune')\nrun(print)\n"
    found = lint_files(tmp_path / "run", {"script.py": text}, torch="2.13")
    assert [(one.code, one.severity) for one in found] == [("AOTI512", "error")]


def test_who_catches_everything_means_other_errors(tmp_path: Path) -> None:
    text = (
        "import torch\ndef made(fn):\n    return torch.compile(fn, mode='max_autotune')\n"
        "for fn in (print, len):\n    try:\n        made(fn)\n    except {}:\n        print('failed')\n"
    )
    found = [
        lint_files(tmp_path / one, {"a.py": text.format(one)}, torch="2.13") for one in ("Exception", "RuntimeError")
    ]
    assert [[(one.code, one.severity, one.row) for one in some] for some in found] == [[("AOTI512", "warning", 3)], []]
