"""Proofs that need a C++ compiler."""
