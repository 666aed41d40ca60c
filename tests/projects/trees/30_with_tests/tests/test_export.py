import pytest
import torch
from torch.export import Dim

from tinyexport import export_static, package


def test_static_refuses_another_batch():
    class M(torch.nn.Module):
        def forward(self, x):
            return x * 2

    model = export_static(M(), torch.ones(2, 3)).module()
    model(torch.zeros(2, 3))
    with pytest.raises((AssertionError, RuntimeError)):
        model(torch.ones(5, 3))


def test_dynamic_takes_any_batch():
    class M(torch.nn.Module):
        def forward(self, x):
            return x + 1

    model = export_static(M(), torch.ones(2, 3), x={0: Dim("b", min=1, max=64)}).module()
    assert model(torch.ones(5, 3)).shape == (5, 3)


@pytest.mark.parametrize("batch", [2, 3, 9])
def test_dynamic_example_of_any_size(batch):
    class M(torch.nn.Module):
        def forward(self, x):
            return x.cumsum(0)

    model = export_static(M(), torch.ones(batch, 3), x={0: Dim("b")}).module()
    assert model(torch.ones(7, 3)).shape == (7, 3)


def test_batch_of_one_is_refused_at_export():
    class M(torch.nn.Module):
        def forward(self, x):
            return x.exp()

    with pytest.raises(torch._dynamo.exc.UserError, match="Constraints violated"):
        export_static(M(), torch.ones(1, 3), x={0: Dim("b")})


def test_gone_for_good():
    with pytest.raises(ImportError):
        from torch.export import dynamic_dim  # noqa: F401
    with pytest.raises(AttributeError):
        torch._inductor.aot_load("m.so", "cpu")


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU")
def test_wrong_device_raises(tmp_path):
    class M(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.fc = torch.nn.Linear(3, 3)

        def forward(self, x):
            return self.fc(x)

    model = package(export_static(M().cuda(), torch.ones(2, 3, device="cuda")), tmp_path / "m.pt2")
    with pytest.raises(RuntimeError):
        model(torch.ones(2, 3))
