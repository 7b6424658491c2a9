"""Pay tables: one TOML file per printed table, and the loader."""
