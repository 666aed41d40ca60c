"""What leaves the process, and where it goes: `check` says what was found, from one document; `commands` the rest."""
