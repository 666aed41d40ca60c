"""Test runners: fixtures, marks, cases, mocks and what may fail."""
