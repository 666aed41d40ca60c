"""Lists, sets, tuples and dicts, and what goes over their items."""
