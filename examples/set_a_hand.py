"""Set a hand the house way, under every shipped way for seven cards, with the rule that decides and its reason."""

from houseway.cards import parse_cards
from houseway.houseways import house_ways

HAND = parse_cards("Qd Qc 6d 6c 5s Ac 2s")


def main() -> None:
    """Print the two hands that each way makes of the same cards."""
    for way in house_ways():
        if way.cards == len(HAND):
            setting = way.set(HAND)
            high, low = (" ".join(map(str, hand)) for hand in (setting.high, setting.low))
            print(f"{way.id:<15} {high} | {low}   {setting.rule}: {setting.why}")


if __name__ == "__main__":
    main()
