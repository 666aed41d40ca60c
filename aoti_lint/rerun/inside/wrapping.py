"""Puts something around functions of torch, so that nothing that fails in it is felt by the user's program."""

from __future__ import annotations

import contextlib
import functools
import threading
from collections.abc import Callable, Iterator
from typing import Any

from .events import Events

FILE = "<aoti-lint rerun>"
"""What tracebacks show instead of our files, so that nobody takes them for the user's."""

_THREAD = threading.local()


class Around:
    """What happens around one call. `before` may change the arguments, `after` the result."""

    def __init__(self, events: Events) -> None:
        self.events = events

    def before(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The arguments to go on with."""
        return args, kwargs

    def after(self, result: Any) -> Any:
        """What the caller gets."""
        return result

    def failed(self, error: BaseException) -> None:
        """The call raised `error`, which goes on to the caller."""


def inside(outermost: str) -> bool:
    """Whether a call of this kind is going on in this thread."""
    return bool(getattr(_THREAD, outermost, False))


@contextlib.contextmanager
def unnoted(outermost: str) -> Iterator[None]:
    """Calls that we make ourselves."""
    before = getattr(_THREAD, outermost, False)
    setattr(_THREAD, outermost, True)
    try:
        yield
    finally:
        setattr(_THREAD, outermost, before)


def wrap(owner: Any, name: str, make: Callable[[], Around], events: Events, outermost: str = "") -> None:
    """Have every call of `owner.name` run inside what `make` gives. Does nothing where there is no such function.

    Calls that other calls of the same `outermost` make are left alone: one thing is noted once.
    """
    original = getattr(owner, name, None)
    if original is None or not callable(original):
        return
    try:
        setattr(owner, name, wrapper_of(original, make, events, outermost))
    except Exception as error:
        events.note(f"cannot watch {name}", error)


def wrapper_of(original: Any, make: Callable[[], Around], events: Events, outermost: str) -> Any:
    """What `wrap` puts in the place of `original`."""

    def wrapper(*args: Any, **kwargs: Any) -> Any:
        if outermost and getattr(_THREAD, outermost, False):
            return original(*args, **kwargs)
        around = None
        try:
            around = make()
            args, kwargs = around.before(args, kwargs)
        except Exception as error:
            events.note(f"before {getattr(original, '__qualname__', original)}", error)
        if outermost:
            setattr(_THREAD, outermost, True)
        try:
            result = original(*args, **kwargs)
        except BaseException as error:
            try:
                if around is not None:
                    around.failed(error)
            except Exception as other:
                events.note(f"after {getattr(original, '__qualname__', original)}", other)
            raise
        finally:
            if outermost:
                setattr(_THREAD, outermost, False)
        try:
            return around.after(result) if around is not None else result
        except Exception as error:
            events.note(f"after {getattr(original, '__qualname__', original)}", error)
            return result

    return disguised(wrapper, original)


def disguised(wrapper: Any, original: Any) -> Any:
    """`wrapper` as it is put in place of `original`: with its name, unseen by Dynamo, no file in tracebacks."""
    wrapper.__code__ = wrapper.__code__.replace(co_filename=FILE)
    functools.update_wrapper(wrapper, original)
    wrapper._torchdynamo_disable = True
    return wrapper
