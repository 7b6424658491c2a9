"""`python -m houseway` is the `houseway` command."""

from houseway.cli import command

if __name__ == "__main__":
    command()
