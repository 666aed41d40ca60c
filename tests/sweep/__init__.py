"""What is found in code that others published, each finding judged by reading it: see `reviewed.json`."""
