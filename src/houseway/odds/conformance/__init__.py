"""Printed figures and claims compared with exact ones."""
