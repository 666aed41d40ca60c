"""The scripts here are material for `test_projects.py`, not tests of their own."""

collect_ignore_glob = ["trees/*", "single/*"]
