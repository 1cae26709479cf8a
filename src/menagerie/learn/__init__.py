"""How judgement improves: self-play, and what its results say about the weights."""
