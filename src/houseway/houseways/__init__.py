"""House ways: how a dealer must set a hand, as data, and the interpreter that names the rule it used.

The whole-domain check is in `houseway.houseways.check`, apart from what settling a round needs at once.
"""

from houseway.houseways.fouls import is_fouled, is_fouled_seven, is_fouled_six
from houseway.houseways.load import SHIPPED, house_way, house_ways, load_house_way, refused_ways, way_ids
from houseway.houseways.way import HouseWay, Setting, Split

__all__ = [
    "SHIPPED",
    "HouseWay",
    "Setting",
    "Split",
    "house_way",
    "house_ways",
    "is_fouled",
    "is_fouled_seven",
    "is_fouled_six",
    "load_house_way",
    "refused_ways",
    "way_ids",
]
