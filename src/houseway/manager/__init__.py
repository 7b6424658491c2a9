"""The Game Manager: the progressive system that the documents describe, as a server with a ledger."""
