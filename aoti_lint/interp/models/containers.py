"""Methods of lists, dicts, sets and tuples, and the container classes of the standard library."""
