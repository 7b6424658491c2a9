"""Exact odds: integers over all deals, never a simulation.

So far: a house way against a house way, for every seven-card preset and the six-card way. Needs the `kernels` extra.
"""
