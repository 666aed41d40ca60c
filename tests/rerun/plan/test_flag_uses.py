"""Which stages use a name; the names of the guides are used, or it is written down why not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from aoti_lint.cli.main import main
from aoti_lint.rerun.plan.flag_uses import uses
from aoti_lint.torch_api.guide.lookup import find

GUIDES = json.loads((Path(__file__).parents[2] / "torch_api" / "guides.json").read_text(encoding="utf-8"))


def test_stages_and_symptoms() -> None:
    assert set(uses("TORCHINDUCTOR_NAN_ASSERTS")) == {"nan-asserts"}
    assert uses("TORCHINDUCTOR_NAN_ASSERTS")["nan-asserts"] == ("nan",)
    assert set(uses("CUDA_LAUNCH_BLOCKING")) >= {"deterministic", "kernels", "values", "tensors"}
    assert "slow" in uses("fusion")["logs"]
    assert uses("torch.export.draft_export").keys() == {"export"}
    assert uses("no_such_name") == {}


@pytest.mark.parametrize("name", [name for kind in ("variables", "settings", "log names") for name in GUIDES[kind]])
def test_what_the_guides_advise_is_used_or_it_says_why_not(name: str) -> None:
    row = find(name)[0]
    others = [name for name in row.see if uses(name)]
    assert uses(row.name) or others or row.corrections or name in _KEPT_APART


_KEPT_APART = ("torch._inductor.config.autotune_remote_cache",)
"""A rerun has caches of its own."""


def test_explain_says_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "AOTI_RUNTIME_CHECK_INPUTS"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "Used by: `aoti-lint rerun`, in its stages sanity (illegal-memory-access, segfault, nan," in said
    assert main(["explain", "TORCHINDUCTOR_TRITON_CUDAGRAPHS"]) == 0
    assert "aoti-lint rerun" not in capsys.readouterr().out
