"""The manager's state machine: pure functions from state and command to what is written, without clock or database."""
