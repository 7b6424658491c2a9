"""Exact odds: integers over all deals, never a simulation unless it says so.

`questions` answers for any wager and any pay table from what ships in `data`; `solved` holds the solved games and
solves others. The packages: `pai_gow` and `six_card_poker` count the games, `seen` samples face-up dealing,
`strategies` reads rules off the solutions, `conformance` holds the prints against them, `simulation` plays whole
rounds, and `running` is the cache and whoever runs long jobs. Counting again needs the `kernels` extra; reading what
ships does not.
"""
