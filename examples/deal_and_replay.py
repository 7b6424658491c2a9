"""Deal a round from a seed that was committed to before the bets, and let anybody deal it again afterwards."""

from houseway.cards import Card, card_texts, descending
from houseway.cards.modes import shuffler_mode
from houseway.cards.shuffler import deal, differences, replay
from houseway.games import game

SEED = bytes.fromhex("5eed" * 16)  # A real round draws its seed: secrets.token_bytes(32).
ENTROPY = (b"seat 3 says: lucky horseshoe",)


def told(cards: tuple[Card, ...]) -> str:
    """Cards as text, the highest first."""
    return " ".join(card_texts(descending(cards)))


def main() -> None:
    """Deal, publish, replay, and show that an exchanged card is found."""
    mode = shuffler_mode(game("fortune").shuffler_mode)
    dealt = deal(mode, SEED, seats=[1, 3], player_entropy=ENTROPY)
    print(f"before the bets: commitment {dealt.commitment}")
    print(f"dealer {told(dealt.dealer)}")
    for seat, cards in dealt.players.items():
        print(f"seat {seat} {told(cards)}")

    assert dealt.commitment is not None
    again = replay(dealt.commitment, mode, SEED, seats=[1, 3], player_entropy=ENTROPY)
    exchanged = (dealt.leftover[0], *dealt.dealer[1:])
    for name, dealer in (("as it was dealt", dealt.dealer), ("with another card for the dealer", exchanged)):
        found = differences(again, dealer=dealer, seats=dealt.players, start_position=dealt.start_position)
        print(f"after the round, {name}: {'; '.join(map(str, found)) or 'every card follows from the seed'}")


if __name__ == "__main__":
    main()
