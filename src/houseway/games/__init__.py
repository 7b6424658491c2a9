"""The approved games: wagers, legal settings, order of resolution, settlement."""
