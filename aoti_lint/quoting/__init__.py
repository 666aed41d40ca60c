"""What is quoted stays a quotation: one module a medium.

A plain `str` may come from anybody: a file name, a literal of a script, a log, a string in an archive. Each module here
makes a type of its own (`Shown`, `Shell`, `Python`, `Cpp`, `Html`, `Json`, `Workflow`) out of plain text, and what
writes a medium takes that type only. Nothing outside of this folder may make one, except of text that stands in our own
source.
"""
