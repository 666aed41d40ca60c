import pytest
import torch

from net import Parity, dims


@pytest.fixture(scope="session")
def program():
    return torch.export.export(Parity().eval(), (torch.zeros(3, 5),), dynamic_shapes=dims(bits="words"))


@pytest.fixture
def frozen():
    return torch.export.export(Parity().eval(), (torch.zeros(3, 5),))
