"""A witness: somebody else's process that remembers how far a journal had come and cosigns only what has grown from it.

A regulator runs it, with a key of its own and its own copy of what it has seen. It needs nothing of the casino but
heads and the paths between them, so it sees no event, and a history that is written again with all of the casino's keys
does not get past it.
"""
