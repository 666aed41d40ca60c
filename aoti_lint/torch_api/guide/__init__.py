"""The reference of the names in debugging guides: variables, settings, log names, functions, tools and files."""
