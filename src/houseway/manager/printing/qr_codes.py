"""QR codes as SVG, drawn in whole modules: they scale without loss, on the screen and on paper."""

from __future__ import annotations

from functools import lru_cache
from io import BytesIO

import segno
from segno import DataOverflowError

MOST_BYTES = 2_953
"""What the largest QR code holds."""


@lru_cache(maxsize=64)
def qr_svg(text: str) -> str | None:
    """A text as a QR code that survives a fold or a stain (level M), a long one as a plainer code (level L).

    None where it is too long for either.
    """
    for level in ("m", "l"):
        try:
            code = segno.make(text, error=level, boost_error=False, micro=False)
        except DataOverflowError:
            continue
        target = BytesIO()
        code.save(target, kind="svg", border=4, xmldecl=False, svgns=True, omitsize=True, nl=False)
        return target.getvalue().decode()
    return None
