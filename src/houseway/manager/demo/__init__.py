"""A floor that sets itself up and plays by itself: for demonstrations, benchmarks and endurance runs."""
