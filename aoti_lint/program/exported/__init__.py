"""An exported program: its graphs, what they call and write to, as a file or in memory."""
