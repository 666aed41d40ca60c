"""Names of the fields and which of their dimensions vary."""
import torch

POSITIONS, EDGES, SHIFTS, TYPES = "pos", "edge_index", "edge_cell_shift", "atom_types"
VARYING = {POSITIONS: {0: "atom"}, EDGES: {1: "edge"}, SHIFTS: {0: "edge"}, TYPES: {0: "atom"}}


def get_dynamic_shapes(fields, batch_map):
    return tuple({dim: batch_map[name] for dim, name in VARYING[field].items()} for field in fields)


def fresh_batch_map(max_atoms=4096):
    return {
        "atom": torch.export.Dim("num_atoms", min=2, max=max_atoms),
        "edge": torch.export.Dim("num_edges", min=2, max=64 * max_atoms),
    }


def example(atoms=5, edges=12):
    generator = torch.Generator().manual_seed(0)
    return {
        POSITIONS: torch.rand(atoms, 3, generator=generator),
        EDGES: torch.randint(0, atoms, (2, edges), generator=generator),
        SHIFTS: torch.zeros(edges, 3),
        TYPES: torch.zeros(atoms, dtype=torch.long),
    }
