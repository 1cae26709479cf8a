"""A game being played: the path taken so far, what players may do besides moving, and the record of it all."""
