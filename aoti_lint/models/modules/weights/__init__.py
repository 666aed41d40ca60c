"""The weights of modules: their names, where they come from, what becomes of them in a package."""
