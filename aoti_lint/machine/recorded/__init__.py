"""What the units of an analysis did, kept so that those nothing has changed for need not be run again."""
