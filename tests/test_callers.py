"""How many functions are known to call one."""

from __future__ import annotations

from synclint.analysis.frequency.calls_meant import Meant
from synclint.analysis.frequency.propagation import Propagation
from synclint.analysis.program.entry_points import Reach
from synclint.analysis.results.facts import Call, FunctionFacts
from synclint.analysis.results.observations import Observations
from synclint.findings import CallPlace

BASE, OVERRIDING, RELEASE = "pools.py:1:4", "pools.py:6:4", "pools.py:9:0"


def test_who_calls_a_method_is_known_to_call_none_of_those_that_override_it() -> None:
    functions = {
        BASE: FunctionFacts("free"),
        OVERRIDING: FunctionFacts("free", overrides=BASE),
        RELEASE: FunctionFacts("release"),
    }
    call = Call(RELEASE, CallPlace("release", "pools.py", 10), (), True)
    seen = Observations(functions=functions, calls={BASE: (call,)})
    known = Propagation(seen, Meant(functions, Reach())).known(())
    assert [place.line for place, _ in known.given[OVERRIDING]] == [10]
    assert known.callers == {BASE: 1, OVERRIDING: 0}


def test_what_variants_for_other_places_call_counts_only_where_nothing_else_calls_it() -> None:
    shared, alone, there, elsewhere = "meta.py:1:0", "meta.py:9:0", "gpu.py:1:4", "xpu.py:1:4"
    functions = {
        shared: FunctionFacts("prepare"),
        alone: FunctionFacts("settle"),
        there: FunctionFacts("update"),
        elsewhere: FunctionFacts("update", is_elsewhere=True),
    }
    calls = {
        shared: tuple(Call(key, CallPlace("update", key.partition(":")[0], 5), (), True) for key in (elsewhere, there)),
        alone: (Call(elsewhere, CallPlace("update", "xpu.py", 7), (), True),),
    }
    known = Propagation(Observations(functions=functions, calls=calls), Meant(functions, Reach())).known(())
    assert [place.path for place, _ in known.given[shared]] == ["gpu.py"]
    assert [place.path for place, _ in known.given[alone]] == ["xpu.py"]


def test_of_methods_that_override_one_another_a_call_means_one() -> None:
    functions = {
        BASE: FunctionFacts("free"),
        OVERRIDING: FunctionFacts("free", overrides=BASE),
        RELEASE: FunctionFacts("release"),
        "pools.py:20:0": FunctionFacts("close"),
    }
    calls = {
        BASE: (Call(RELEASE, CallPlace("release", "pools.py", 10), (), True),),
        "pools.py:20:0": (Call(RELEASE, CallPlace("release", "pools.py", 11), (), True),),
    }
    known = Propagation(Observations(functions=functions, calls=calls), Meant(functions, Reach())).known(())
    assert [known.at(key, ()).alternatives for key in (OVERRIDING, "pools.py:20:0")] == [2, 1]
