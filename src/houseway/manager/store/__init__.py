"""Where the journal is kept: SQLite or PostgreSQL, one total order, and everything the audit reads from it."""
