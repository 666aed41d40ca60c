def _like(x):
    return x.new_empty(x.shape)


TABLE = {
    "normalise": _like,
    "pairwise": lambda a, b: a.new_empty(a.shape[0], b.shape[0]),
}
