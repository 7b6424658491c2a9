"""Papers for people: slips and win pages as forms, written as HTML for a browser's printer and as PDF.

Both are made of one `Form`, so that they show the same. Nothing is loaded from anywhere, and the same form gives the
same bytes.
"""
