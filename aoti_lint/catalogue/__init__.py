"""Which rules there are, built in and installed, what is written of them, and which of them are wanted."""
