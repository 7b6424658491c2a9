"""Instruments of the tests, which no wheel holds: the floor simulator and the explorer.

They run from a checkout, by `scripts/simulate-floor` and `scripts/explore-floor`. The package never imports them.
"""
