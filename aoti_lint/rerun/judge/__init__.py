"""Says who did it, from what was read: each kind of evidence has a module, `by_stage` chooses."""
