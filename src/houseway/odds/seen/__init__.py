"""Dealing face up: what seeing other hands is worth."""
