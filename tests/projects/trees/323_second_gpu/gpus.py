"""Which GPU does what."""
TRAIN, SERVE = 0, 1


def cuda(index):
    return f"cuda:{index}"
