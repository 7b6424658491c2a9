"""Proofs that need no trust: a Merkle tree over a journal's leaves, signed heads, and texts that anybody can check.

The formats are those of transparency logs (RFC 6962; c2sp.org: signed-note, tlog-checkpoint, tlog-cosignature,
tlog-proof and the request of tlog-witness). Nothing here knows a manager or a
database, reads a clock or draws a number.
"""
