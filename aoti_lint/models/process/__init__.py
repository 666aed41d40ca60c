"""The process of a script: its arguments, variables, files and other programs."""
