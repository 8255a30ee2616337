"""The files that fixes look at: only the parts of a tree that are asked for are read, and nothing is missed by it."""

from __future__ import annotations

import ast

from synclint.fixes.source_files import SourceFile

SOURCE = '''
import torch; first = torch.zeros(3); second = first.sum()

@torch.no_grad(
    first
)
def decorated(a, *, b=(1,
                      2)):
    return [a.item() for a in b if a], f"{a.item()} and {b!r:>{a}}"

class One: x = torch.ones(2).tolist()

class Two(One, metaclass=type(first)):
    """Says nothing."""

    class Inner:
        def method(self):
            try:
                return (self.x
                        .item())
            except ValueError as error:
                raise error from None
            finally:
                match self.x:
                    case [1, int() as y] if y.item():
                        pass

    y = lambda self: self.x.item()
if first: second = third = (((second)))
else: print(second)
'''


def _whole(tree: ast.Module) -> tuple[dict[tuple[int, ...], ast.expr], dict[ast.AST, ast.AST]]:
    """The outermost expression at each place, and the node around each."""
    expressions: dict[tuple[int, ...], ast.expr] = {}
    around: dict[ast.AST, ast.AST] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.expr):
            place = (node.lineno, node.col_offset, node.end_lineno or 0, node.end_col_offset or 0)
            expressions.setdefault(place, node)
        around.update(dict.fromkeys(ast.iter_child_nodes(node), node))
    return expressions, around


def test_each_expression_is_found_at_its_place_whichever_is_asked_for_first() -> None:
    tree = SourceFile("a.py", SOURCE).tree
    places = [node for node in ast.walk(tree) if isinstance(node, ast.expr)]
    for asked in (places, places[::-1]):
        file = SourceFile("a.py", SOURCE)
        expected, _ = _whole(file.tree)
        for node in asked:
            place = (node.lineno, node.col_offset, node.end_lineno or 0, node.end_col_offset or 0)
            assert file.expression_at(file.span(node)) is expected[place]


def test_around_each_node_is_what_the_tree_says() -> None:
    for backwards in (False, True):
        file = SourceFile("a.py", SOURCE)
        _, around = _whole(file.tree)
        asked = [node for node in around if isinstance(node, (ast.expr, ast.stmt, ast.arg))]
        for node in reversed(asked) if backwards else asked:
            assert file.parent(node) is around[node]
            assert list(file.ancestors(node))[-1] is file.tree


def test_around_what_is_not_in_the_file_is_nothing() -> None:
    file = SourceFile("a.py", SOURCE)
    made = ast.copy_location(ast.Name("made", ast.Load()), file.tree.body[0])
    assert file.parent(made) is None
    assert file.parent(file.tree) is None
