"""Methods that override one another: a call that means one of them may mean any."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from synclint.analysis.results.facts import FunctionFacts


def overriding_one_another(functions: Mapping[str, FunctionFacts]) -> dict[str, int]:
    """For each function how many methods override one another, itself among them."""

    def first(key: str) -> str:
        while (above := functions[key].overrides) is not None:
            key = above
        return key

    firsts = {key: first(key) for key in functions}
    families = Counter(firsts.values())
    return {key: families[one] for key, one in firsts.items()}
