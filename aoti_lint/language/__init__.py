"""Python: expressions, statements, calls, classes and containers, which evaluate, execute and call one another."""
