"""No regular expression of the program takes more than linear time, whatever text it is given."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from pattern_growth import growth

import synclint

PACKAGE = Path(synclint.__file__).parent
ANCHORED = frozenset({"match", "fullmatch"})
FUNCTIONS = ANCHORED | {"compile", "search", "findall", "finditer", "sub", "subn", "split"}


@dataclass(frozen=True)
class Expression:
    """A regular expression in the source of the program, and the methods by which it is used."""

    place: str
    text: str
    flags: int
    methods: frozenset[str]

    @property
    def growth(self) -> str:
        searched = not self.methods or not self.methods <= ANCHORED
        return growth(self.text, self.flags, searched=searched, whole="fullmatch" in self.methods)


def expressions() -> Iterator[Expression]:
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in sorted(PACKAGE.rglob("*.py"))}
    for path, tree in trees.items():
        for call in ast.walk(tree):
            name = called(call)
            # What a pattern for paths becomes is looked at in `test_globs`.
            if isinstance(call, ast.Call) and name is not None and ast.unparse(call) != "re.compile(better)":
                others = [other for each, other in trees.items() if each != path]
                methods = frozenset({name}) if name != "compile" else uses(bound_to(call, tree), tree, others)
                flags = flags_of(call, 1 if name == "compile" else 3 if name in ("sub", "subn", "split") else 2)
                for text in texts_of(call.args[0], tree):
                    yield Expression(f"{path.relative_to(PACKAGE)}:{call.lineno}", text, flags, methods)


def called(node: ast.AST) -> str | None:
    """The function of `re` that is called; None where there is none that takes a pattern."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name("re"), attr=name)) if name in FUNCTIONS:
            return name
    return None


def bound_to(call: ast.Call, tree: ast.Module) -> str | None:
    """The name that a compiled pattern is given, None where it is one among several or used at once."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            if node.value is call or (isinstance(node.value, ast.Dict) and call in node.value.values):
                return node.targets[0].id
    return None


def uses(name: str | None, tree: ast.Module, others: list[ast.Module]) -> frozenset[str]:
    """The methods by which a compiled pattern is used; none where that cannot be told."""
    if name is None:
        return frozenset()
    found: set[str] = set()
    for node in [node for each in (tree, *([] if name.startswith("_") else others)) for node in ast.walk(each)]:
        match node:
            case ast.Attribute(value=ast.Name(used) | ast.Subscript(ast.Name(used)), attr=method) if used == name:
                found.add(method)
            case ast.Call(args=arguments) if any(isinstance(a, ast.Name) and a.id == name for a in arguments):
                return frozenset()
    return frozenset(found)


def flags_of(call: ast.Call, index: int) -> int:
    given = [keyword.value for keyword in call.keywords if keyword.arg == "flags"] + call.args[index : index + 1]
    names = [node.attr for value in given for node in ast.walk(value) if isinstance(node, ast.Attribute)]
    flags = 0
    for name in names:
        flags |= getattr(re, name)
    return flags


def texts_of(node: ast.expr, tree: ast.Module) -> list[str]:
    """What a pattern may be. A text that is put in is one that was escaped."""
    match node:
        case ast.Constant(value=str(text)):
            return [text]
        case ast.Constant(value=bytes(text)):
            return [text.decode("latin-1")]
        case ast.JoinedStr(values=parts):
            return ["".join(str(part.value) if isinstance(part, ast.Constant) else "x" for part in parts)]
        case ast.Name(name):
            found = [text for value in values_of(name, tree) for text in texts_of(value, tree)]
            assert found, f"nothing is known of the pattern {name} in line {node.lineno}"
            return found
    raise AssertionError(f"a pattern that this test cannot read: {ast.unparse(node)}")


def values_of(name: str, tree: ast.Module) -> Iterator[ast.expr]:
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=[ast.Name(bound)], value=value) if bound == name:
                yield value
            case ast.comprehension(target=ast.Name(bound), iter=ast.Tuple(elts=values)) if bound == name:
                yield from values


EXPRESSIONS = list(expressions())


@pytest.mark.parametrize("expression", EXPRESSIONS, ids=lambda expression: expression.place)
def test_it_is_linear(expression: Expression) -> None:
    assert expression.growth == "", expression.text


def test_none_is_missed() -> None:
    called_anywhere = sum(path.read_text(encoding="utf-8").count("re.compile(") for path in PACKAGE.rglob("*.py"))
    assert len(EXPRESSIONS) >= called_anywhere > 50


LINEAR = (
    r"\w+", r"#[^\n]*", r"(?:a|b)*", r"(\w+)((?:\.\w+)*)", r"[ab]+c?d?", r"(?m)^[ \t]*\w+[ \t]*:", r"a{1,80}?b",
    r'"[^"]*',
)  # fmt: skip
EXPONENTIAL = (
    r"(a*)*b", r"(?:a|a)*b", r"(?:a|aa)+b", r"(?:[^()#]|#[^\n]*)*\)", r"(?:\s|\s*,)*\]", r"(?:a+)+$",
    r"'(?:\\.|[^'])*'",
)  # fmt: skip
POLYNOMIAL = (
    r"a*a*b", r"\s*x", r"\s*[\w\s]+=", r"noqa\s*:.*syn", r"\w+\.", r"'(?:\\.|[^\\'])*'", r"(?=a*b)c", r"[0-9]+\S*$",
    r"(`+).+?\1",
)  # fmt: skip


@pytest.mark.parametrize("pattern", LINEAR)
def test_a_linear_pattern_is_told(pattern: str) -> None:
    assert growth(pattern) == ""


@pytest.mark.parametrize("pattern", EXPONENTIAL)
def test_an_exponential_pattern_is_told(pattern: str) -> None:
    assert growth(pattern).startswith("exponential")


@pytest.mark.parametrize("pattern", POLYNOMIAL)
def test_a_polynomial_pattern_is_told(pattern: str) -> None:
    assert growth(pattern).startswith("polynomial")


def test_what_begins_at_one_place_need_not_be_linear_from_everywhere() -> None:
    assert growth(r"\s*x", searched=False) == ""
    assert growth(r"\w+", whole=True).startswith("polynomial")
    assert growth(r"\w+", searched=False, whole=True) == ""
