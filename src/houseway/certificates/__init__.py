"""Certificates in the house's own network: an authority of its own, requests, renewal, and what a server proves."""
