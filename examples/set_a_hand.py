"""Set a hand the house way, under every shipped way for seven cards, with the rule that decides and its reason."""

import houseway as hw

for way in hw.game("fortune").ways:
    hand = hw.set_hand("fortune", "Qd Qc 6d 6c 5s Ac 2s", way=way)
    high, low = (" ".join(map(str, cards)) for cards in (hand.high, hand.low))
    print(f"{way:<15} {high} | {low}   {hand.rule}: {hand.why}")
