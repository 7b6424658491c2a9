"""Exact odds: a printed pay table, one that nobody printed, and a whole game over all its deals."""

from dataclasses import replace

import houseway as hw

printed = hw.paytable("FPGP-1")
lines = tuple(replace(line, pays=5) if line.hand == "flush" else line for line in printed.lines)
for name, table in (("as printed", printed), ("flush pays 5 to 1", replace(printed, lines=lines))):
    share = hw.odds("fortune", "fortune", paytables={"fortune": table}).edge
    assert share is not None
    print(f"{printed.id}, {name}: {share} = {float(share):.4%}")

main_wager = hw.odds("fortune", "main", way="foxwoods").distribution
assert main_wager is not None
print(f"Fortune, main wager, over {main_wager.deals:,} deals:")
for outcome in main_wager.outcomes:
    print(f"  {outcome.name:<5} {outcome.deals:,}")
