"""The forward of an exported model, run again: each module looks on for one question."""
