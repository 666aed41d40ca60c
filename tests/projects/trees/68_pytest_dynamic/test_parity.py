import pytest
import torch


@pytest.mark.parametrize("words", [2, 3, 17])
def test_any_number_of_words(program, words):
    assert program.module()(torch.zeros(words, 5)).shape == (words, 5)


def test_one_word(program):
    assert program.module()(torch.zeros(1, 5)).shape == (1, 5)


def test_frozen_refuses(frozen):
    with pytest.raises(AssertionError):
        frozen.module()(torch.zeros(4, 5))


@pytest.mark.parametrize("width", [4, 6])
def test_width_is_checked(program, width):
    with pytest.raises((AssertionError, RuntimeError)):
        program.module()(torch.zeros(3, width))
