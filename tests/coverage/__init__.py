"""What was known where a program is exported, compiled, loaded or called."""
