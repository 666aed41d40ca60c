"""The calls that lead to a finding, among the places that are told with it."""

CALLED = "called from here"
"""What is said of each. They are in the order in which they happen."""
