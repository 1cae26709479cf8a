"""Witnesses from outside the project, asked by the tests what is lawful."""
