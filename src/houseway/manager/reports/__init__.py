"""Reports for an accounting office and a regulator: what a gaming day's transfers, rows and events come to.

Each report is a pure function of what was read (`day_reading`) to a frozen struct of plain rows; `report_list` names
them, and the renderers write any of them as JSON, CSV or HTML.
"""
