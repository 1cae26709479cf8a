"""Who is stronger: players, openings, games between them under a referee, and what the results say."""
