"""Simulate rounds with every wager on every seat, and compare the result with the exact edges.

Needs the `kernels` extra. The seed fixes every card: the same seed gives the same figures on any number of workers.
"""

import houseway as hw

found = hw.simulate("six-card-fortune", rounds=20_000, seed=7)
for row in found.wagers.values():
    exact = "unknown" if row.exact_edge is None else f"{float(row.exact_edge):.2%}"
    inside = {True: "within the limits of chance", False: "OUTSIDE the limits of chance", None: ""}
    assert row.edge is not None
    told = f"{row.wager:<12} {row.made:>7,} bets, edge {float(row.edge):>7.2%}, exact {exact:<7}"
    print(f"{told} {inside[row.within_limits]}".rstrip())
assert found.edge is not None
print(f"all together: {found.together.rounds:,} rounds, edge {float(found.edge):.2%}")
