class ExportedProgram:
    state_dict = {}
    example_inputs = ((), {})


def export(model, args):
    if model is None:
        raise ValueError("no model\nand more")
    return ExportedProgram()


def save(ep, f):
    from torch.export.pt2_archive._package import package_pt2

    package_pt2(f, exported_programs={"model": ep})


def load(f):
    with open(f) as file:
        return file.read()
