"""Which action is good: one search, written once, instantiated per game; names no game."""
