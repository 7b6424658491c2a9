"""Short strategies, read off the exact solutions."""
