"""Settings that a script reads from a YAML file."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.analysing import codes, facts_of

SETTINGS = """
    device: cuda
    model: {width: 8, sizes: [4, 16]}
    1: one
"""
READ = """
    from pathlib import Path
    import torch, yaml

    def attributes(value):
        if isinstance(value, dict):
            return {str(k): attributes(v) for k, v in value.items()}
        if isinstance(value, list):
            return [attributes(v) for v in value]
        return value

    with open(Path(__file__).parent / "a.yaml") as stream:
        cfg = attributes(yaml.safe_load(stream))
    model = torch.nn.Linear(cfg["model"]["width"], 2).to(cfg["device"]).eval()
    x = torch.randn(cfg["model"]["sizes"][0], 8, device=%s)
    torch.export.export(model, (x,))
"""


@pytest.mark.parametrize(("device", "expected"), [('"cpu"', ["AOTI103"]), ('"cuda"', []), ('cfg["device"]', [])])
def test_yaml_settings_are_walked_through(
    device: str, expected: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    facts = facts_of(tmp_path, monkeypatch, a_yaml=SETTINGS, a=READ % device)
    assert codes(facts) == expected


@pytest.mark.parametrize(
    "text", ["a: [", "!!python/object:os.system {}", "- 1\n---\n- 2\n", "device: &a [*a]\n", "2026-01-01: 1\n"]
)
def test_yaml_that_is_not_plain_is_unknown(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert codes(facts_of(tmp_path, monkeypatch, a_yaml=text, a=READ % '"cpu"')) == []
