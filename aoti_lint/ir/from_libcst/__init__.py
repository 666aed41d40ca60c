"""The IR of what only libcst reads: syntax that is newer than the Python that runs us."""
