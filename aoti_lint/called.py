"""The calls that lead to a finding, among the places that are told with it.

It stands alone: a page of a run that is remembered needs nothing else of `diagnostics`.
"""

CALLED = "called from here"
"""What is said of each. They are in the order in which they happen."""
