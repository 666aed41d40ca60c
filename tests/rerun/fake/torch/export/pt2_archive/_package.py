class AOTICompiledModel:
    def __init__(self, text):
        self.text = text

    def __call__(self, *args):
        from torch.library import Library

        for op in Library.ops.values():
            args = (op(*args),)
        return self.text, *args


def package_pt2(f, *, exported_programs=None, aoti_files=None):
    with open(f, "w") as file:
        file.write(repr(aoti_files or sorted(exported_programs)))
    return f


def load_pt2(f):
    with open(f) as file:
        return AOTICompiledModel(file.read())
