"""The controller at a table: a process between sensors, keypad, badge reader, shuffler and sign, and the manager."""
