"""`python -m instruments.explorer`: the long mode of the explorer."""

from __future__ import annotations

import sys

from instruments.explorer.long_mode import main

if __name__ == "__main__":
    sys.exit(main())
