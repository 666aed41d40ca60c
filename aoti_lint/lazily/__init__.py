"""What takes long while modules are imported, made when it is first used: most of it never is."""
