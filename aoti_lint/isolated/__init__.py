"""Code of others, run in a child process: a crash or a hang there is an answer like any other."""
