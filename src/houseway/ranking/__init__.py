"""What beats what: the declared orders, the reference, and the shipped tables that give the same results quickly.

`value_of_best` and `names_mask` here look up the tables and need nothing but Python. `houseway.ranking.rank_kernels`
and `houseway.ranking.counting` are compiled, for many hands at once, and need the optional part `houseway[kernels]`.
"""

from houseway.ranking.fast import mask_of_names, names_mask, names_of_mask, value_of_best
from houseway.ranking.hand_names import (
    HAND_NAMES,
    Category,
    category_of,
    describe_low,
    describe_value,
    hand_title,
    name_of_low,
    name_of_value,
)
from houseway.ranking.reference import (
    PAI_GOW,
    PAI_GOW_LOW_WHEEL,
    RANKINGS,
    STANDARD,
    Ranking,
    best_five,
    check_rankable,
    names_fitted,
    value_of_five,
    value_of_one,
    value_of_two,
)

__all__ = [
    "HAND_NAMES",
    "PAI_GOW",
    "PAI_GOW_LOW_WHEEL",
    "RANKINGS",
    "STANDARD",
    "Category",
    "Ranking",
    "best_five",
    "category_of",
    "check_rankable",
    "describe_low",
    "describe_value",
    "hand_title",
    "mask_of_names",
    "name_of_low",
    "name_of_value",
    "names_fitted",
    "names_mask",
    "names_of_mask",
    "value_of_best",
    "value_of_five",
    "value_of_one",
    "value_of_two",
]
