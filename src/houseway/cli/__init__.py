"""The `houseway` command: reads arguments and files, calls the rules, prints what they say."""

from houseway.cli.app import main

__all__ = ["main"]
