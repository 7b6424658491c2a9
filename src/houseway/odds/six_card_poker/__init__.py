"""Six Card Poker and Bad Beat, exactly."""
