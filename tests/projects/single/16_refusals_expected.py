"""What must be refused is refused: every fault stands inside a context that waits for it."""
import contextlib

import pytest
import torch
from torch.export import Dim


class Scale(torch.nn.Module):
    def forward(self, x):
        return x * 3


@pytest.fixture
def static():
    return torch.export.export(Scale(), (torch.ones(2, 4),)).module()


def test_wrong_rows(static):
    with pytest.raises((AssertionError, RuntimeError), match="(?i)guard|expected"):
        static(torch.ones(3, 4))


def test_example_of_one():
    with pytest.raises(Exception) as caught:
        torch.export.export(Scale(), (torch.ones(1, 4),), dynamic_shapes={"x": {0: Dim("rows")}})
    assert "rows" in str(caught.value)


def test_never_existed():
    with pytest.raises(AttributeError):
        torch._inductor.aot_load("x.so", "cpu")


def test_xfail_style():
    with contextlib.suppress(AttributeError, ImportError):
        from torch.export import export_for_training

        export_for_training(Scale(), (torch.ones(2, 4),))
    try:
        from torch.export import dynamic_dim
    except ImportError:
        dynamic_dim = None
    assert dynamic_dim is None


if __name__ == "__main__":
    raise SystemExit(pytest.main(["-q", "-p", "no:cacheprovider", __file__]))
