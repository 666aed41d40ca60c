"""Python: expressions, statements, calls, classes and containers, which evaluate, execute and call one another.

The modules of this circle import each other as modules, never names of them: so each can be the first that is loaded.
"""
