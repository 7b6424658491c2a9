"""The manager's server: one process that answers tables, displays and services over JSON lines on TCP."""
