"""One run, from paths to a document."""
