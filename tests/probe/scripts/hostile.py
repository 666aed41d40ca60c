"""Operators that end the process, wait for ever, or take nothing that can be guessed."""

from __future__ import annotations

import ctypes
import time

import torch


@torch.library.custom_op("hostile::dies", mutates_args=())
def dies(x: torch.Tensor) -> torch.Tensor:
    ctypes.string_at(0)
    return x.clone()


@dies.register_fake
def _(x):
    return x.new_empty((int(x.shape[0]), *x.shape[1:]))


@torch.library.custom_op("hostile::hangs", mutates_args=())
def hangs(x: torch.Tensor) -> torch.Tensor:
    time.sleep(1000)
    return x.clone()


@hangs.register_fake
def _(x):
    return torch.empty_like(x)


@torch.library.custom_op("hostile::picky", mutates_args=())
def picky(x: torch.Tensor, word: str) -> torch.Tensor:
    return x.clone()


@picky.register_fake
def _(x, word):
    if word != "abracadabra":
        raise ValueError(f"no such word: {word!r}")
    return x.new_empty((3,))


@torch.library.custom_op("hostile::zealous", mutates_args=())
def zealous(x: torch.Tensor) -> torch.Tensor:
    return x.clone()


@zealous.register_fake
def _(x):
    return torch.empty_like(x)


raise RuntimeError("after everything was registered")
