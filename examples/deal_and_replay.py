"""Deal a round from a seed that was committed to before the bets, and let anybody deal it again afterwards."""

import houseway as hw

# A real round leaves the seed out, and it is drawn.
dealt = hw.deal("fortune", seats=[1, 3], seed="5eed" * 16, player_entropy=["seat 3 says: lucky horseshoe"])
print(f"before the bets: commitment {dealt.commitment}")
shown = dealt.to_json()
print(f"dealer {' '.join(shown['dealer'])}")
for seat in shown["seats"]:
    print(f"seat {seat['seat']} {' '.join(seat['cards'])}")

exchanged = dealt.to_json() | {"dealer": [shown["leftover"][0], *shown["dealer"][1:]]}
for name, record in (("as it was dealt", shown), ("with another card for the dealer", exchanged)):
    found = hw.replay(record)
    print(f"after the round, {name}: {'; '.join(map(str, found.differences)) or 'every card follows from the seed'}")
