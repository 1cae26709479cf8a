"""What foresight is tried on and held against, game by game: positions where a turn can do much, and slow twins."""
