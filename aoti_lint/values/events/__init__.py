"""What the interpreter tells the rules: one event for each thing that happens to a program, a package or an op.

What the author of a rule can ask for is all in `aoti_lint.rule.events`.
"""
