"""libcst's trees turn into those that ``ast.parse`` makes, and syntax that it does not know into the like of them."""

from __future__ import annotations

import ast
import importlib.util
import sys
import sysconfig
import warnings
from pathlib import Path

import libcst as cst
import pytest

from synclint.analysis.syntax.newer_syntax import module_from
from synclint.analysis.syntax.parsing import ParseFailure, parse

STANDARD_LIBRARY = Path(sysconfig.get_path("stdlib"))
GRAMMAR = Path(__file__).parent / "fixtures" / "syntax" / "grammar.py"
PLACE = ("lineno", "col_offset", "end_lineno", "end_col_offset")

# Before Python 3.12, ``ast.parse`` gave the parts of an f-string places that were approximate.
PLACES_IN_F_STRINGS_ARE_EXACT = sys.version_info >= (3, 12)


def dumped(tree: ast.Module) -> str:
    """A tree as text with the places of its nodes, what ``ast.parse`` gets wrong left out."""
    for string in [node for node in ast.walk(tree) if isinstance(node, ast.JoinedStr)]:
        # Python 3.12 leaves empty texts in some.
        string.values = [part for part in string.values if not isinstance(part, ast.Constant) or part.value]
        for part in (part for value in string.values for part in ast.walk(value)):
            for name in PLACE if hasattr(part, "lineno") and not PLACES_IN_F_STRINGS_ARE_EXACT else ():
                setattr(part, name, 0)
    return ast.dump(tree, include_attributes=True, indent=1)


def difference(source: str, older: str | None = None) -> list[str]:
    """How the tree of a source begins to differ from Python's tree of it, or of an older spelling."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = dumped(ast.parse(source if older is None else older)).splitlines()
    found = dumped(module_from(source)).splitlines()
    for number, (left, right) in enumerate(zip(expected, found, strict=False)):
        if left != right:
            return [*expected[number - 8 : number + 8], "is not", *found[number - 8 : number + 8]]
    return [] if len(expected) == len(found) else ["one is longer"]


def newest(source: str) -> ast.Module:
    """The tree of a source that only newer versions of libcst read."""
    try:
        return module_from(source)
    except cst.ParserSyntaxError:
        pytest.skip("this version of libcst does not read it")


def differing(folder: Path) -> dict[str, list[str]]:
    """The files of a package, its own tests aside, whose trees differ."""
    paths = [path for path in sorted(folder.rglob("*.py")) if "test" not in path.relative_to(folder).parts]
    assert paths
    found = {str(path): difference(path.read_text(encoding="utf-8")) for path in paths}
    return {path: lines for path, lines in found.items() if lines}


@pytest.mark.parametrize("name", ["json", "asyncio", "email", "concurrent", "unittest", "collections"])
def test_the_standard_library_gives_the_trees_that_python_gives(name: str) -> None:
    assert differing(STANDARD_LIBRARY / name) == {}


@pytest.mark.parametrize("name", ["functional/image", "functional/text", "wrappers", "utilities"])
def test_torchmetrics_gives_the_trees_that_python_gives(name: str) -> None:
    found = importlib.util.find_spec("torchmetrics")
    if found is None or found.origin is None:
        pytest.skip("torchmetrics is not installed")
    assert differing(Path(found.origin).parent / name) == {}


def test_the_corners_of_the_grammar_give_the_trees_that_python_gives() -> None:
    assert difference(GRAMMAR.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    "source",
    ["", "\n", "# nothing", "x = 1", "x = 1;", "if x: y", "if x:\n  y\n  ", "x = 1\r\ny = '''a\r\nb'''\r\n", "x\ry\r"],
)
def test_endings_of_lines_and_files_give_the_trees_that_python_gives(source: str) -> None:
    assert difference(source) == []


def test_a_byte_order_mark_is_no_part_of_the_source() -> None:
    assert difference("\ufeffx = y\n", "x = y\n") == []


@pytest.mark.skipif(sys.version_info < (3, 11), reason="syntax of Python 3.11")
@pytest.mark.parametrize(
    "source",
    [
        "x[*a]; x[*a, b]; x[b, * a , ]\ndef f(*a: *T): ...\n",
        "try: pass\nexcept* A: pass\nexcept * (B, C) as e: pass;\n",
    ],
)
def test_the_corners_of_the_grammar_of_python_3_11(source: str) -> None:
    assert difference(source) == []


# Each in two spellings, which put everything at the same places.
NEWER_AND_OLDER = {
    "the f-string's own quotes within it": ("x = f'{y['a']}'\n", "x = f'{y[\"a\"]}'\n"),
    "a call with such quotes": ("x = f'{', '.join(y)!r:>{z['a']}}'\n", 'x = f\'{", ".join(y)!r:>{z["a"]}}\'\n'),
    "an f-string within an f-string": ("x = f'{f'{y}' + z}'\n", "x = f'{f\"{y}\" + z}'\n"),
    "a group of exceptions": (
        "try: pass\nexcept* A as e: pass\n",
        f"try: pass\nexcept{'*' if hasattr(ast, 'TryStar') else ' '} A as e: pass\n",
    ),
    "type parameters of a function": ("def f[T](x: T) -> T: ...\n", "def f   (x: T) -> T: ...\n"),
    "every kind of type parameter": (
        "async def f[T: (int, str) = int, *Ts, **P](): ...\n",
        "async def f                               (): ...\n",
    ),
    "type parameters of a class": ("class A[T](B): ...\n", "class A   (B): ...\n"),
    "type parameters of a class without bases": ("class A[T]: ...\n", "class A   : ...\n"),
}


@pytest.mark.parametrize("name", NEWER_AND_OLDER)
def test_newer_syntax_gives_the_tree_of_an_older_spelling(name: str) -> None:
    newer, older = NEWER_AND_OLDER[name]
    assert difference(newer, older) == []


@pytest.mark.parametrize("parameters", ["", "[T]"])
def test_a_type_statement_is_an_assignment(parameters: str) -> None:
    newer = f"type X{parameters} = int | y\n"
    older = newer.replace(f"type X{parameters}", "X".ljust(len(f"type X{parameters}")))
    expected = ast.parse(older)
    target = expected.body[0].targets[0]  # type: ignore[attr-defined]
    target.col_offset, target.end_col_offset = len("type "), len("type X")
    assert dumped(module_from(newer)) == dumped(expected)


@pytest.mark.parametrize("star", ["", "*"])
def test_exceptions_without_parentheses_are_a_tuple(star: str) -> None:
    older = star if hasattr(ast, "TryStar") else " " * len(star)
    expected = ast.parse(f"try:\n    pass\nexcept{older}(A, B):\n    c\n")
    kinds = expected.body[0].handlers[0].type  # type: ignore[attr-defined]
    kinds.col_offset, kinds.end_col_offset = kinds.col_offset + 1, kinds.end_col_offset - 1
    assert dumped(newest(f"try:\n    pass\nexcept{star} A, B:\n    c\n")) == dumped(expected)


# What only newer versions of libcst read, and how Python would write the tree that it becomes.
NEWEST = {
    "t'a{x!r:>{y}}b'": "f'a{x!r:>{y}}b'",
    "t'a{{' f'{x}'": "f'a{{{x}'",
    "[*x for x in y]": "[*x for x in y]",
    "{**x for x in y if x}": "{**(x for x in y if x)}",
    "lazy import a.b as c": "import a.b as c",
    "lazy from . import a": "from . import a",
}


@pytest.mark.parametrize("source", NEWEST)
def test_the_newest_syntax_becomes_the_nearest_older_one(source: str) -> None:
    assert ast.unparse(newest(source)) == NEWEST[source]


@pytest.mark.parametrize(
    "source",
    [
        "é = f'ü{x['ö'] + y}{z!r:>{w}}' f'{v}'\n",
        "f'{\n    x  # the first\n    + (y)\n}' + z\n",
        "f'''é\n{x:{y}} {'\\n'.join(z)}\n''' + é\n",
        "type X[T] = é | y\n",
        "def f[T](é: x = y, *z: w) -> v: ...\n",
        "try: x\nexcept* y, é: z\n",
    ],
)
def test_names_in_newer_syntax_stand_where_they_are_written(source: str) -> None:
    names = [node for node in ast.walk(newest(source)) if isinstance(node, ast.Name)]
    assert len(names) > 2
    assert [ast.get_source_segment(source, name) for name in names] == [name.id for name in names]


@pytest.mark.parametrize("source", ["x = = 1\n", "'\\N{no such letter}'\n", "f'{x}\\xzz'\n", "'a' b'b'\n"])
def test_what_is_no_python_is_told_so(source: str) -> None:
    with pytest.raises(cst.ParserSyntaxError):
        module_from(source)


def test_brackets_nested_too_deeply_are_left_alone() -> None:
    with pytest.raises(RecursionError):
        module_from("(" * 100_000 + ")" * 100_000)


def test_escapes_that_mean_nothing_pass_in_silence() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert ast.unparse(module_from("x = '\\d'")) == "x = '\\\\d'"


def test_what_libcst_reads_and_python_refuses_is_told_with_both() -> None:
    with pytest.raises(ParseFailure, match=r"Exceeds the limit .*; libcst reads the file"):
        parse(f"x = {'9' * 5000}\n")
    with pytest.raises(ParseFailure, match=r"^(?!.*libcst)"):
        parse("x = = 1\n")
