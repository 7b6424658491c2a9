"""The `houseway` command: reads arguments and files, calls the rules, prints what they say."""

from houseway.cli.app import command, main

__all__ = ["command", "main"]
