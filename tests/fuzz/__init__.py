"""Fuzzing: whatever a repository holds, a command answers it, in words, within bounds, and touches nothing.

`python -m tests.fuzz` runs as many cases as it is told; `test_fuzz` runs a few, and all that were once found (`found`).
"""
