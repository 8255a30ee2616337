"""Generated sources never crash the analysis, and the same source always gives the same events."""

from __future__ import annotations

import warnings
from pathlib import Path

import hypothesmith
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from synclint.analysis.project import ProjectAnalysis
from synclint.analysis.results.events import SyncEvent
from synclint.analysis.syntax.parsing import ParseFailure
from synclint.catalog.entries import load_catalog
from synclint.rules.loading import load_rules
from synclint.rules.matching import findings

# The generators try what they make on the running Python, which has its doubts.
pytestmark = pytest.mark.filterwarnings("ignore::SyntaxWarning")

# A path in no project: nothing that these sources import is there to be found.
PATH = Path("generated.py")

# Values and statements as training code has them, put together as no training code does. Whether a tensor
# is on the device, what a name is bound to and which path is taken are the questions of the analysis.
NAMES = st.sampled_from(["x", "y", "mask", "model", "loss", "self", "batch", "f", "self.total", "items"])
LEAVES = st.one_of(
    NAMES,
    st.sampled_from(
        ["0", "-1", "1.5", "None", "True", "''", "'cuda'", "'cpu'", "...", "torch.bool", "torch.float32",
         "torch.zeros(3)", "torch.zeros(3, device='cuda')", "torch.arange(8)", "np.zeros(3)", "[]", "{}", "()",
         "nn.Linear(3, 3)", "torch", "nn", "F", "print", "len"],
    ),
)  # fmt: skip
METHODS = st.sampled_from(
    ["item", "tolist", "cpu", "cuda", "to", "nonzero", "unique", "sum", "any", "all", "numpy", "max", "append",
     "update", "forward", "__init__", "backward", "step", "shape", "device", "dtype", "is_cuda", "type", "T"],
)  # fmt: skip
FUNCTIONS = st.sampled_from(
    ["torch.nonzero", "torch.where", "torch.tensor", "F.one_hot", "F.cross_entropy", "float", "int", "bool",
     "max", "sum", "any", "isinstance", "getattr", "range", "zip", "enumerate", "list", "dict", "sorted",
     "torch.stack", "torch.equal", "nn.Sequential", "functools.partial", "super", "map", "f", "C", "C.g"],
)  # fmt: skip
OPERATORS = st.sampled_from(["+", "*", "@", "//", "**", "<", "==", "is", "is not", "in", "and", "or", "%", "&"])


def extended(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    listed = st.lists(inner, max_size=3).map(", ".join)
    return st.one_of(
        st.builds("({} {} {})".format, inner, OPERATORS, inner),
        st.builds("(not {})".format, inner),
        st.builds("(-{})".format, inner),
        st.builds("({}).{}()".format, inner, METHODS),
        st.builds("({}).{}".format, inner, METHODS),
        st.builds("({}).to({})".format, inner, inner),
        st.builds("{}({})".format, FUNCTIONS, listed),
        st.builds("{}(*{}, device={}, **{})".format, FUNCTIONS, inner, inner, inner),
        st.builds("({})({})".format, inner, listed),
        st.builds("({})[{}]".format, inner, inner),
        st.builds("({})[{}:{}, None, ...]".format, inner, inner, inner),
        st.builds("({} if {} else {})".format, inner, inner, inner),
        st.builds("[{} for x in {} if {}]".format, inner, inner, inner),
        st.builds("{{y: {} for x, *y in {} for y in x}}".format, inner, inner),
        st.builds("[{}, *{}]".format, listed.filter(bool), inner),
        st.builds("{{'a': {}, **{}}}".format, inner, inner),
        st.builds("(lambda x, *y, z={}: {})".format, inner, inner),
        st.builds('f"{{{}!r}} {{{}:>{{x}}}}"'.format, NAMES, NAMES),
        st.builds("(y := {})".format, inner),
    )


EXPRESSIONS = st.recursive(LEAVES, extended, max_leaves=6)
TARGETS = st.one_of(
    NAMES,
    st.builds("x, *{}".format, NAMES),
    st.builds("{}[{}]".format, NAMES, LEAVES),
    st.just("(x, [y, self.z]), items['a']"),
)
SIMPLE = st.one_of(
    st.builds("{} = {}".format, TARGETS, EXPRESSIONS),
    st.builds("{} = {} = {}".format, TARGETS, TARGETS, EXPRESSIONS),
    st.builds("{} {}= {}".format, NAMES, st.sampled_from(["+", "|", "@", "//"]), EXPRESSIONS),
    st.builds("x: {} = {}".format, EXPRESSIONS, EXPRESSIONS),
    st.builds("return {}".format, EXPRESSIONS),
    st.builds("assert {}, {}".format, EXPRESSIONS, EXPRESSIONS),
    st.builds("raise {} from {}".format, EXPRESSIONS, EXPRESSIONS),
    st.builds("yield {}".format, EXPRESSIONS),
    st.builds("del {}".format, NAMES),
    st.builds("global {}".format, st.sampled_from(["x", "f", "model"])),
    st.sampled_from(["pass", "import torch as f", "from torch import *", "from . import x", "import a.b.c as y"]),
    EXPRESSIONS,
)


def indented(block: list[str]) -> str:
    return "\n".join(f"    {line}" for statement in block for line in statement.splitlines())


def compound(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    block = st.lists(inner, min_size=1, max_size=3).map(indented)
    parameters = st.sampled_from(
        ["", "self", "x", "x: torch.Tensor", "self, batch, *args, y: 'list[Tensor]' = None, **kwargs", "x, /, *, y=0"]
    )
    decorators = st.sampled_from(["", "@torch.no_grad()\n", "@property\n", "@staticmethod\n", "@f\n"])
    return st.one_of(
        st.builds("if {}:\n{}\nelse:\n{}".format, EXPRESSIONS, block, block),
        st.builds("while {}:\n{}\n    break".format, EXPRESSIONS, block),
        st.builds("for {} in {}:\n{}".format, TARGETS, EXPRESSIONS, block),
        st.builds("for batch in enumerate(loader):\n{}\nelse:\n{}".format, block, block),
        st.builds("with {} as ({}):\n{}".format, EXPRESSIONS, TARGETS, block),
        st.builds("try:\n{}\nexcept {} as y:\n{}\nfinally:\n{}".format, block, NAMES, block, block),
        st.builds("{}def f({}):\n{}".format, decorators, parameters, block),
        st.builds("async def f({}):\n{}\n    await {}".format, parameters, block, EXPRESSIONS),
        st.builds(
            "class C({}):\n    def __init__(self): self.f = {}\n{}\n    def g(self, x): return self.f(x)".format,
            st.sampled_from(["", "nn.Module", "C", "Metric", "torch.nn.Module, C", "f"]), EXPRESSIONS, block,
        ),
        st.builds(
            "match {}:\n    case {{'a': x, **y}} | [x, *y] | C(f=x, y=y):\n{}".format, EXPRESSIONS,
            block.map(lambda text: indented(text.splitlines())),
        ),
    )  # fmt: skip


IMPORTS = "import functools\nimport numpy as np\nimport torch\nimport torch.nn.functional as F\nfrom torch import nn\n"
STATEMENTS = st.recursive(SIMPLE, compound, max_leaves=6)


@st.composite
def modules(draw: st.DrawFn) -> str:
    """The text of a module, as a function because the composed strategy takes megabytes to print."""
    statements = draw(st.lists(STATEMENTS, min_size=1, max_size=5))
    return IMPORTS + "\n".join(statements) + "\n"


def events(source: str) -> list[SyncEvent] | None:
    """What a new project makes of the source; None where it is no Python."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ProjectAnalysis().check(PATH, source)
        except ParseFailure:
            return None


def assert_sound(source: str) -> None:
    """No crash, every event within the source and told as a finding, and a second run alike."""
    found = events(source)
    assert found == events(source)
    lines = source.splitlines()
    for finding in findings(found or [], load_rules(), load_catalog()):
        assert 1 <= finding.span.start.line <= finding.span.end.line <= len(lines)
        assert 1 <= finding.span.start.column <= len(lines[finding.span.start.line - 1])
        assert finding.span.start < finding.span.end


GENERATED = settings(
    max_examples=150, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck), database=None
)


@GENERATED
@given(modules())
def test_training_code_put_together_at_random_is_analysed(source: str) -> None:
    assert events(source) is not None
    assert_sound(source)


@GENERATED
@given(modules(), st.integers(0, 2000), st.sampled_from(["", "(", "'''", "\n", "\\", ":", "\t", "é", "\0", "#"]))
def test_code_cut_and_broken_anywhere_is_analysed_or_refused(source: str, place: int, inserted: str) -> None:
    broken = source[:place] + inserted + source[place:]
    found = events(broken)
    assert found == events(broken)


@settings(GENERATED, max_examples=60)
@given(hypothesmith.from_node())
def test_what_pythons_grammar_allows_is_analysed(source: str) -> None:
    assert_sound(source)


@GENERATED
@given(hypothesmith.from_grammar())
def test_what_pythons_tokens_allow_is_analysed(source: str) -> None:
    assert_sound(source)


@settings(GENERATED, max_examples=40)
@given(st.lists(modules(), min_size=2, max_size=4))
def test_files_that_import_one_another_are_analysed_in_any_order(
    tmp_path_factory: pytest.TempPathFactory, sources: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("project")
    imports = "".join(f"from m{number} import f, C, x as x{number}\n" for number in range(len(sources)))
    texts = {folder / f"m{number}.py": imports + source for number, source in enumerate(sources)}
    for path, text in texts.items():
        path.write_text(text, encoding="utf-8")

    def checked() -> list[list[SyncEvent] | None]:
        project = ProjectAnalysis([folder])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for path, text in texts.items():
                project.analyse(path, text)
            return [project.check(path, text) for path, text in texts.items()]

    assert checked() == checked()
