"""What `check` found, for people, editors and programs."""
