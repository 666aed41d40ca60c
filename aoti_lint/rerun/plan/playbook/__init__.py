"""Which stages belong to which symptom, and each stage by its subject."""
