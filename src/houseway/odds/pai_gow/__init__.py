"""Pai Gow hands against the dealer's: tables, settings, exact counts over all deals, advice."""
