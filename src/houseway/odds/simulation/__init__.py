"""Whole rounds, simulated with all their wagers."""
