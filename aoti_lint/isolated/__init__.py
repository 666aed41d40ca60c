"""Child processes: code of others runs there, where a crash or a hang is an answer; and all begin in the same way."""
