from torch.export import Dim

_DIMS = {name: Dim(name, max=limit) for name, limit in {"basins": 64, "days": 400}.items()}


def spec_for(**axes):
    """spec_for(rain={0: "basins"}) gives what torch.export wants."""
    return {tensor: {axis: _DIMS[name] for axis, name in named.items()} for tensor, named in axes.items()}
