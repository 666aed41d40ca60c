"""The copy of the user's folder that programs are run in: what is copied, how it is made, and whose paths are told."""
