"""The controller at a table: a process between sensors, keypad, card reader, shuffler and sign, and the manager."""
