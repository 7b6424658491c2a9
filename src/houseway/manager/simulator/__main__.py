"""`python -m houseway.manager.simulator`: the long mode of the floor simulator."""

from __future__ import annotations

import sys

from houseway.manager.simulator.long_mode import main

if __name__ == "__main__":
    sys.exit(main())
