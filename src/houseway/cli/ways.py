"""`houseway ways`: the house ways with their rules."""
