"""Slow, obviously right twins of the games, for tests to compare the fast package with."""
