"""Export and what becomes of its programs: packages, loads and dynamic shapes."""
