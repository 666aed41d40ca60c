"""What leaves the process: one module a format, all made from the same document."""
