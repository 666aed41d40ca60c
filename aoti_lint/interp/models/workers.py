"""Processes, threads and executors: what they are given to run is run."""
