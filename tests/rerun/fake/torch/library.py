class Library:
    ops = {}

    def __init__(self, ns, kind, dispatch_key=""):
        self.ns, self.kind, self.dispatch_key = ns, kind, dispatch_key

    def impl(self, op_name, fn, dispatch_key="", *, with_keyset=False):
        self.ops[op_name] = fn


def fallthrough_kernel():
    pass
