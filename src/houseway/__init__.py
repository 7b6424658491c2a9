"""Houseway: approved casino table games with progressive jackpots, made executable.

A game's rule sheet becomes data and a few pure functions. The packages build on each other in one direction:
`cards`, `ranking`, `houseways`, `paytables`, `games`, and on top of them the command line.
"""

__version__ = "0.1.0"
