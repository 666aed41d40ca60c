"""Which files there are: those of a run, those that are left out, archives, and what lies around."""
