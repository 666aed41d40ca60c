"""Context managers that expect or swallow exceptions, and helpers of tests."""
