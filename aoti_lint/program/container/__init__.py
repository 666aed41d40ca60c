"""The bytes of what torch writes: members of an archive, JSON in them, headers of a library."""
