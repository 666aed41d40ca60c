"""What is built in: lists and dicts, strings, paths, iterators, and the items of all of them."""
