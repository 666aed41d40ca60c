from .data import INPUT_KEYS, atoms_to_dict

__all__ = ["INPUT_KEYS", "atoms_to_dict"]
