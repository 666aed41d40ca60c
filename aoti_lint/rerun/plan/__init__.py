"""Decides what is run, from a symptom, a log or the scripts; runs nothing."""
