"""`python -m instruments.simulator`: the long mode of the floor simulator."""

from __future__ import annotations

import sys

from instruments.simulator.long_mode import main

if __name__ == "__main__":
    sys.exit(main())
