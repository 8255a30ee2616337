"""An outline leaves out bodies, and nothing else; with it a module means what it means without."""

from __future__ import annotations

import ast
import importlib.util
import warnings
from collections.abc import Iterator
from pathlib import Path
from weakref import ref

import pytest
from command_line import Run, Synclint

from synclint.analysis import project
from synclint.analysis.program.outlines import functions_read, keep_bodies_apart, outline_of, outlined
from synclint.analysis.syntax import parsing
from synclint.analysis.syntax.edited_bodies import edited_bodies, put_in
from synclint.analysis.syntax.positions import lines_of
from synclint.memory.entry_files import Entries
from synclint.sources.kept_texts import kept


def same(source: str) -> int:
    """How many functions the outline of a source leaves out; with it, the tree is the same."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        whole = ast.parse(source)
        outline = outline_of(source, whole)
        if outline is None:
            return 0
        apart = ast.parse(source)
        keep_bodies_apart(apart, kept(source), ast.parse)
        expected, *found = (
            ast.dump(tree, include_attributes=True)
            .replace("OutlinedAsyncFunction(", "AsyncFunctionDef(")
            .replace("OutlinedFunction(", "FunctionDef(")
            for tree in (whole, outlined(outline, lines_of(source), ast.parse), apart)
        )
    assert found == [expected, expected]
    return len(outline.functions)


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
    assert list(functions_read(tree)) == [(looked_at.lineno, 0)]


def test_bodies_that_nobody_has_looked_at_move_with_an_edit_above_them() -> None:
    long = "".join(f"        value = self.layer_{number}(value)\n" for number in range(20))
    source = "class Model:\n" + "".join(
        f'    def step_{number}(self, value):\n        """Do one\n        step."""\n{long}' for number in range(3)
    )
    edited_source = source.replace(
        "        value = ", "        print(value)\n        self.layer = 1\n        value = ", 1
    )
    tree, after = ast.parse(source), ast.parse(edited_source)
    keep_bodies_apart(tree, kept(source), ast.parse)
    edited = edited_bodies(tree, after, lines_of(source), lines_of(edited_source))
    assert edited is not None
    assert [function.name for function, _ in edited.functions] == ["step_0"]
    assert [*functions_read(tree)] == [(2, 4)]
    put_in(edited, tree)
    assert ast.dump(tree, include_attributes=True).replace("OutlinedFunction(", "FunctionDef(") == ast.dump(
        ast.parse(edited_source), include_attributes=True
    )


def test_a_body_is_parsed_when_it_is_asked_for() -> None:
    source = f"def f(a):\n{BODY}\n\nclass A:\n    def g(self):\n        self.mask = 1\n{INNER}\n"
    outline = outline_of(source, ast.parse(source))
    assert outline is not None
    asked: list[str] = []

    def parse(text: str) -> ast.Module:
        asked.append(text)
        return ast.parse(text)

    function, holder = outlined(outline, lines_of(source), parse).body
    assert asked == [outline.source]
    assert "return" not in outline.source
    assert outline.functions[7, 4].assigned == {"mask"}
    assert isinstance(function, ast.FunctionDef)
    assert isinstance(holder, ast.ClassDef)
    assert [argument.arg for argument in function.args.args] == ["a"]
    assert len(asked) == 1
    assert [type(statement) for statement in function.body] == [ast.Assign, ast.Assign, ast.Return]
    assert len(function.body) == 3
    assert len(asked) == 2
    assert not hasattr(function, "nothing_of_the_kind")


FILLER = "".join(f"\n\ndef other{n}(x):\n    a = {n}\n    b = {n}\n    return x[a:b]\n" for n in range(90))
MAIN = """\
import torch
from helper import Loss, pick


def train(prediction: torch.Tensor) -> torch.Tensor:
    kept = pick(prediction.cuda())
    loss = Loss()
    return kept.item() + loss.scale.item() + float(loss(kept))
"""
HELPER = f"""\
import torch


class Loss:
    def __init__(self):
        self.unit = 1
        self.two = 2
        self.scale = torch.ones((), device="cuda")

    def __call__(self, x):
        a = x.sum()
        b = a * self.scale
        return b


def pick(x):
    a = x + 1
    b = a * 2
    return b.PICKED
{FILLER}"""


def of_outlines(folder: Path) -> list[Path]:
    return [path for path in folder.glob("*.json") if b'"functions"' in path.read_bytes()]


def test_a_hook_finds_the_outlines_of_what_a_file_imports(
    run: Synclint, own_cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parsed: list[str] = []
    parse = parsing.parse

    def note(source: str) -> ast.Module:
        parsed.append(source)
        return parse(source)

    monkeypatch.setattr(project, "parse", note)

    def said(main: str, helper: str) -> tuple[Run, Run]:
        (tmp_path / "main.py").write_text(main)
        (tmp_path / "helper.py").write_text(helper)
        fresh = run("--no-cache", "--no-project", "--cold", "--output-format", "concise", "main.py")
        parsed.clear()
        return fresh, run("--no-project", "--cold", "--output-format", "concise", "main.py")

    on_device, on_host = HELPER.replace("PICKED", "sum()"), HELPER.replace("PICKED", "sum().cpu()")
    fresh, kept = said(MAIN, on_device)
    assert kept == fresh
    assert kept.out.count("SYN2") == 3
    assert on_device in parsed
    assert len(of_outlines(own_cache)) == 1

    fresh, kept = said(f"{MAIN}\n", on_device)
    assert kept == fresh
    assert on_device not in parsed
    assert len(parsed) > 1
    assert not any("other7" in text and "return x[a:b]" in text for text in parsed)

    fresh, kept = said(f"{MAIN}\n", on_host)
    assert kept == fresh
    assert kept.out.count("SYN2") == 2
    assert on_host in parsed

    for damaged in ({}, {"source": "", "functions": [[1]]}, {"source": "", "functions": 1}):
        own = Entries(own_cache, (own_cache / "key").read_bytes())
        own.write({path.stem: damaged for path in of_outlines(own_cache)})
        fresh, kept = said(f"{MAIN}\n# {damaged}\n", on_host)
        assert kept == fresh
        assert on_host in parsed


def test_files_that_are_checked_themselves_are_parsed_whole(run: Synclint, own_cache: Path, tmp_path: Path) -> None:
    (tmp_path / "main.py").write_text(MAIN)
    (tmp_path / "helper.py").write_text(HELPER)
    run(".")
    assert of_outlines(own_cache) == []
