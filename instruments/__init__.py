"""Instruments of the tests, which no wheel holds: the floor simulator, the explorer, and the page of commands.

They run from a checkout, by `scripts/simulate-floor`, `scripts/explore-floor` and `scripts/write-commands-page`. The
package never imports them.
"""
