"""High Card, a small game for Houseway: its files lie in `rules`."""
