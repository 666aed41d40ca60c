"""The built-in rules, one file a rule, in the folder of its family."""
