"""Patterns for paths mean what git says they do, and take linear time whatever they and the paths are."""

from __future__ import annotations

import random
import warnings

import pytest
from pathspec.gitignore import GitIgnoreSpec
from pattern_steps import StepCounter

from synclint.config.globs import PatternError, compiled, linear

HOSTILE = [
    ("*a*a*a*a*a*a*a*a*b", "a", ""),
    ("*a*a*a*a*a*a*a*a*b", "ab", "c"),
    ("*a*a**a*a?a*a[ab]a*a*a*b", "a", ""),
    ("**/a/**/a/**/a/**/a/**/a/**/b", "a/", "c"),
    ("a/**/*a/**/*a/**/*a/**/*a/**/b", "a/", "c"),
    ("a/**/a/**/a/**/a*b*c*/", "a/", "abbbbb"),
    ("**/*a*a*/**/*a*a*/**/*a*a*b", "aa/", "a"),
]


def regex_of(glob: str) -> str:
    (pattern,) = GitIgnoreSpec.from_lines([glob]).patterns
    assert pattern.regex is not None
    return str(pattern.regex.pattern)


@pytest.mark.parametrize(("glob", "unit", "rest"), HOSTILE)
def test_twice_the_path_takes_twice_the_steps(glob: str, unit: str, rest: str) -> None:
    regex = linear(regex_of(glob))
    one, two = (StepCounter(regex, unit * times + rest).steps for times in (40, 80))
    assert two <= 2.5 * one


def test_as_pathspec_has_it_the_steps_multiply() -> None:
    regex = regex_of("*a*a*a*b")
    one, two = (StepCounter(regex, "a" * times).steps for times in (20, 40))
    assert two > 8 * one


SEGMENTS = (
    "*", "**", "a", "b", "*a", "a*", "*a*b", "a*b*a*", "?", "[ab]", "[!a]*", "*[ab]*a", "**a", "a**b*", "\\*", "*.?",
)  # fmt: skip


def test_every_pattern_matches_the_paths_that_it_matched_before() -> None:
    chosen = random.Random(0)
    rewritten = 0
    for _ in range(2000):
        glob = "/".join(chosen.choices(SEGMENTS, k=chosen.randint(1, 5)))
        glob = chosen.choice(["", "/", "!"]) + glob + chosen.choice(["", "/"])
        before, after = GitIgnoreSpec.from_lines([glob]), compiled(glob)
        rewritten += str(before.patterns[0].regex) != str(after.patterns[0].regex)
        for _ in range(6):
            names = ["".join(chosen.choices("aab.*", k=chosen.randint(1, 5))) for _ in range(chosen.randint(1, 6))]
            path = "/".join(names) + chosen.choice(["", "/"])
            assert before.check_file(path).include == after.check_file(path).include, (glob, path)
    assert rewritten > 500


@pytest.mark.parametrize("glob", ["[z-a]", "a[z-a]*b", "\\", "x[9-0].py"])
def test_what_is_no_pattern_is_said_to_be_none(glob: str) -> None:
    with pytest.raises(PatternError):
        compiled(glob)


def test_no_pattern_makes_python_warn() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        compiled("[[:alpha:]x]")
        compiled("[b&&c||d~~e]")
