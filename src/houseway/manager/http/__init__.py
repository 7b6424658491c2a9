"""The HTTP API: a service of the Game Manager that speaks HTTP with people's programs, on the one interface alone.

It holds no rule and no money: questions, commands and their refusals are the manager's own, by their own types.
"""
