"""What several commands share: parsers, reports, exit codes, signals."""
