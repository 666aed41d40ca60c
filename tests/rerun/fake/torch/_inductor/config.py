import contextlib
import sys

pattern_matcher = True


@contextlib.contextmanager
def patch(changes):
    module = sys.modules[__name__]
    before = {name: getattr(module, name) for name in changes}
    for name, value in changes.items():
        setattr(module, name, value)
    try:
        yield
    finally:
        for name, value in before.items():
            setattr(module, name, value)
