"""Printed figures and claims held against exact ones."""
