"""Bodies of functions that nobody has looked at are left out of a tree, and nothing else."""

from __future__ import annotations

import ast
import importlib.util
import warnings
from collections.abc import Iterator
from pathlib import Path
from weakref import ref

import pytest

from synclint.analysis.program.late_bodies import (
    LateAsyncFunction,
    LateFunction,
    keep_bodies_apart,
)
from synclint.sources.kept_texts import kept


def same(source: str) -> int:
    """How many bodies are left out of the tree of a source; with those that are parsed again, it is the same."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        whole = ast.parse(source)
        apart = ast.parse(source)
        keep_bodies_apart(apart, kept(source), ast.parse)
        late = [node for node in ast.walk(apart) if isinstance(node, (LateFunction, LateAsyncFunction))]
        expected, found = (
            ast.dump(tree, include_attributes=True)
            .replace("LateAsyncFunction(", "AsyncFunctionDef(")
            .replace("LateFunction(", "FunctionDef(")
            for tree in (whole, apart)
        )
    assert found == expected
    return len(late)


def sources() -> Iterator[Path]:
    for name in ("torchmetrics", "email", "asyncio", "json", "click"):
        found = importlib.util.find_spec(name)
        assert found is not None
        assert found.submodule_search_locations
        yield from sorted(Path(found.submodule_search_locations[0]).rglob("*.py"))


def test_the_tree_is_the_same_over_real_code() -> None:
    left_out = [same(path.read_text(encoding="utf-8")) for path in sources()]
    assert len(left_out) > 300
    assert sum(left_out) > 2000


BODY = "    a = 1\n    b = 2\n    return a + b"
INNER = BODY.replace("    ", "        ")


@pytest.mark.parametrize(
    ("source", "left_out"),
    [
        (f"def f():\n{BODY}\n", 1),
        (f"def f():\n{BODY}", 1),
        (f"def f():\n{BODY}  # the end\nx = 1\n", 1),
        (f"def f():\n{BODY};\nx = 1\n", 1),
        (f"def f():\n{BODY} \\\n\nx = 1\n", 1),
        (f"@cached\nasync def f(a, *, b={{1: [2,\n3]}}) -> int:\n    # why\n\n{BODY}\n", 1),
        (f"def f(): \\\n{BODY.replace(chr(10), ';')}\n", 0),
        ("def f(): return [\n1,\n2,\n]\nx = 1\n", 1),
        (f"class A:\n    '''Of it.'''\n    def f(self):\n{INNER}\n    async def g(self):\n{INNER}\n", 2),
        (f"if x:\n    def f():\n{INNER}\nelif y:\n    def f():\n{INNER}\nelse:\n    def f():\n{INNER}\n", 3),
        (f"try:\n    def f():\n{INNER}\nexcept E:\n    def f():\n{INNER}\nfinally:\n    def f():\n{INNER}\n", 3),
        (f"with a:\n    def f():\n{INNER}\nfor b in c:\n    def f():\n{INNER}\nwhile d:\n    def f():\n{INNER}\n", 3),
        (f"match x:\n    case 1:\n        def f():\n{INNER.replace('        ', '            ')}\n", 1),
        (f"def f():\n    def g():\n{INNER}\n    return g\n", 1),
        ("def f():\n    @cached\n    def g():\n        return 1\n    return g\n", 0),
        (f"def f():\n\tif x:\n\t\treturn 1\n\treturn '''\nä\n'''\n\ndef g():\n{BODY}\n", 2),
        (f"ä = 'ö'; x = 1\nclass Ü:\n    def ß(self, ä='ö'): return [\n'ü',\n'ä'], 'é'\n\ndef g():\n{BODY}\n", 2),
        (f"def f():\n{BODY}\n".replace("\n", "\r\n"), 1),
        (f"def f():\n{BODY}\n".replace("\n", "\r"), 1),
        (f"x = 1\n\f\ndef f():\n{BODY}\n", 1),
        (f"if x:\n\f    def f():\n{INNER}\n", 0),
        ("def f():\n    return 1\n", 0),
        ("def f():\n    f'''\n{1}\n{2}'''\n    return 1\n", 1),
        (f"from __future__ import barry_as_FLUFL\ndef f():\n{BODY}\n", 0),
        ("x = 1\n", 0),
        ("", 0),
    ],
)
def test_only_long_bodies_are_left_out(source: str, left_out: int) -> None:
    assert same(source) == left_out


def test_a_body_that_nobody_has_looked_at_is_not_kept() -> None:
    source = f"def f(a, b):\n{BODY}\n\ndef g(a, b):\n{BODY}\n\ndef h():\n    pass\n"
    tree = ast.parse(source)
    first, second, short = (ref(node.body[0]) for node in tree.body if isinstance(node, ast.FunctionDef))
    keep_bodies_apart(tree, kept(source), ast.parse)
    assert (first(), second()) == (None, None)
    assert short() is not None
    looked_at = tree.body[1]
    assert isinstance(looked_at, ast.FunctionDef)
    assert looked_at.body is looked_at.body
