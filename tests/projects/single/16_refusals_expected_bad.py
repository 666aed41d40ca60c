"""The refusal is waited for in one test and forgotten in the next."""
import torch


class Scale(torch.nn.Module):
    def forward(self, x):
        return x * 3


def static():
    return torch.export.export(Scale(), (torch.ones(2, 4),)).module()


def test_wrong_rows():
    try:
        static()(torch.ones(3, 4))
    except (AssertionError, RuntimeError):
        pass
    else:
        raise AssertionError("accepted")


def test_right_rows():
    module = static()
    assert module(torch.ones(2, 4)).shape == (2, 4)
    with torch.no_grad():
        assert module(torch.ones(5, 4)).shape == (5, 4)


if __name__ == "__main__":
    test_wrong_rows()
    test_right_rows()
