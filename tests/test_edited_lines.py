"""Where lines stand after edits of bodies and of what is no code."""

from __future__ import annotations

from synclint.analysis.syntax.edited_lines import NEW, edited_lines

BEFORE = """\
# about f
def f(
    x,
):
    y = x

    z = y
    return z


def g(x):
    a = x
    b = a
    return b
"""


def test_lines_are_followed_within_several_bodies_and_between_them() -> None:
    after = BEFORE.replace("# about f\n", "# about f\n# and g\n").replace("    z = y\n", "    w = y\n    z = w\n")
    after = after.replace("\n\ndef g", "\n\n# about g\ndef g").replace("    a = x\n", "").replace("b = a", "b = 2")
    lines = edited_lines(BEFORE, after)
    assert lines is not None
    old, new = BEFORE.splitlines(), after.splitlines()
    for said in ("def f(", "    x,", "    y = x", "    return z", "def g(x):", "    return b"):
        assert lines.now(old.index(said) + 1) == new.index(said) + 1
        assert lines.then(new.index(said) + 1) == old.index(said) + 1


def test_a_new_line_had_a_number_that_no_line_had() -> None:
    after = BEFORE.replace("    y = x\n", "    y = x\n    print(y)\n").replace(
        "    a = x\n", "    a = x\n    print(a)\n"
    )
    lines = edited_lines(BEFORE, after)
    assert lines is not None
    new = [number for number, line in enumerate(after.splitlines(), 1) if "print" in line]
    then = [lines.then(line) for line in new]
    assert min(then) > len(BEFORE.splitlines())
    assert len({*then}) == 2
    assert list(map(lines.now, then)) == new


def test_a_line_with_something_else_on_it_is_the_line_that_it_was() -> None:
    lines = edited_lines(BEFORE, BEFORE.replace("    b = a\n", "    b = a + 1\n"))
    assert lines is not None
    assert all(lines.now(line) == line == lines.then(line) for line in range(1, len(BEFORE.splitlines()) + 1))


def test_a_line_that_is_gone_would_stand_in_its_function() -> None:
    lines = edited_lines(BEFORE, BEFORE.replace("    a = x\n", "").replace("    b = a\n", ""))
    assert lines is not None
    gone = [BEFORE.splitlines().index(line) + 1 for line in ("    a = x", "    b = a")]
    assert all(11 <= lines.now(line) <= 12 for line in gone)


def test_edits_that_may_do_more_than_define_names_are_not_followed() -> None:
    assert edited_lines(BEFORE, f"{BEFORE}f(1)\n") is None
    assert edited_lines(BEFORE, f"{BEFORE}import a\na.b = 1\n") is None
    assert edited_lines(f"import a\nc = a.b\n{BEFORE}", f"c = a.b\n{BEFORE}") is None  # somebody mentions it
    assert edited_lines(BEFORE, f"{BEFORE}kept = f\n") is None  # who calls it is not known any more
    assert edited_lines(BEFORE, f"{BEFORE}def h(x, of=f):\n    return x\n") is None
    assert edited_lines(BEFORE, f'{BEFORE}def h(x):\n    """>>> h(1)"""\n') is None  # it is for others
    assert edited_lines(BEFORE, f"{BEFORE}def h(x):\n    class A: ...\n") is None
    assert edited_lines(BEFORE, f"{BEFORE}__all__ = []\n") is None
    assert edited_lines(BEFORE, "def f(:\n") is None


def test_new_names_are_told_with_the_functions_that_mention_them() -> None:
    lines = edited_lines(BEFORE, f"from b import a\n{BEFORE}def h(x):\n    return x\n")
    assert lines is not None
    assert lines.names == {"a", "h"}
    assert lines.imported == {"a"}
    first = BEFORE.splitlines().index("def g(x):") + 1
    assert lines.spans == (((first, first + 3), (first + 1, first + 4)),)
    assert lines.added == ((first + 5, first + 6),)
    assert lines.then(1) > NEW
    assert (lines.now(first), lines.then(first + 1)) == (first + 1, first)


def test_a_function_with_other_parameters_is_edited() -> None:
    lines = edited_lines(BEFORE, BEFORE.replace("def g(x)", "def g(x, y=None)"))
    assert lines is not None
    (((first, _), _),) = lines.spans
    assert lines.redefined == {first}
    assert lines.names == frozenset()


def test_what_is_gone_leaves_its_name_behind() -> None:
    lines = edited_lines(f"a = 1\n{BEFORE}", BEFORE)
    assert lines is not None
    assert lines.names == {"a"}
    assert lines.now(3) == 2


def test_an_import_names_modules_and_not_what_another_one_binds() -> None:
    before = f"from math import pi\n\n{BEFORE}"
    assert edited_lines(before, f"import math\n{before}") is not None
    assert edited_lines(f"{before}\ny = math.e\n", f"import math\n{before}\ny = math.e\n") is None


OF_CLASS = '''\
class Metric:
    """Of two numbers.

    Args:
        first: the first one
    """

    def update(self, x):
        y = x
        return y


class Other:
    def update(self, x):
        return x
'''


def test_docstrings_of_classes_may_differ_beside_bodies() -> None:
    other = OF_CLASS.replace("Of two numbers.\n", "Of two numbers, or\n    of three.\n").replace("y = x", "y = x + 1")
    other = other.replace("class Other:\n", 'class Other:\n    """Another one."""\n\n')
    lines = edited_lines(OF_CLASS, other)
    assert lines is not None
    assert [old[:3] for old, _ in lines.docstrings] == ["Of ", ""]
    assert [new for _, new in lines.docstrings][1] == "Another one."
    old, new = OF_CLASS.splitlines(), other.splitlines()
    for said in ("class Metric:", "        return y", "class Other:", "        return x"):
        assert lines.now(old.index(said) + 1) == new.index(said) + 1
        assert lines.then(new.index(said) + 1) == old.index(said) + 1
