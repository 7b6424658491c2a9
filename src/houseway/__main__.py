"""`python -m houseway` is the `houseway` command."""

import sys

from houseway.cli import main

if __name__ == "__main__":
    sys.exit(main())
