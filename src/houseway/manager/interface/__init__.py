"""The one interface of a Game Manager: commands, questions and subscriptions, in the process and over the wire.

`contract` says what it is; `local`, `resting` and `client` are a manager in this process, a database that is only read,
and a server at an address, each also for asyncio. The controller, the command line, the demonstration and the front
door use this package and nothing below it.
"""
