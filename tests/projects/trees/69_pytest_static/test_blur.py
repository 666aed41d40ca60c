import pytest
import torch

from blur import Blur, exported


@pytest.fixture(scope="module")
def program():
    return exported(batch=2)


def test_same_as_eager(program):
    frames = torch.rand(2, 1, 12, 12)
    torch.testing.assert_close(program.module()(frames), Blur()(frames))


@pytest.mark.parametrize("batch", [8, 32])
def test_batches(program, batch):
    frames = torch.rand(batch, 1, 12, 12)
    torch.testing.assert_close(program.module()(frames), Blur()(frames))
