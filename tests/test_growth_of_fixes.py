"""How the work of offering and making fixes grows with a function: counted in calls, which no machine makes faster.

The bodies of the functions in all cases of fixes are repeated within one function each, so that no kind is left out.
"""

from __future__ import annotations

import ast
import cProfile
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from fix_cases import FixCase, findings, load_fix_cases

from synclint.config import Options
from synclint.fixes.rounds import fixed
from synclint.results.file_reports import FileReport
from synclint.running.runner import check_files, check_text

_HEAD = "import time\n\nimport torch\nfrom torch import Tensor\nfrom torch.utils.data import DataLoader\n\n\n"


def _in_a_loop(lines: Sequence[str], before: Sequence[str] = (), after: Sequence[str] = ()) -> str:
    body = [*(f"    {line}" for line in before), "    for b in loader:", *(f"        {line}" for line in lines)]
    return "\n".join(
        [f"{_HEAD}def train(model, loader, x: Tensor, y: Tensor):", *body, *(f"    {a}" for a in after), ""]
    )


CONSTRUCTS: dict[str, Callable[[int], str]] = {
    "selections by one mask": lambda n: _in_a_loop(
        ["m = x.cuda().view(-1) > 0", *(f"v{k} = x.cuda().view(-1)[m]" for k in range(n))]
    ),
    "masks that select twice": lambda n: _in_a_loop(
        [line for k in range(n) for line in (f"m{k} = x.cuda() > {k}", f"v{k} = x[m{k}] + y[m{k}]")]
    ),
    "sums in a loop": lambda n: _in_a_loop(
        [f"t{k} += (x.cuda() > {k}).sum().item()" for k in range(n)],
        [f"t{k} = 0" for k in range(n)],
        [f"print(t{k})" for k in range(n)],
    ),
    "lists that are filled": lambda n: _in_a_loop(
        [f"t{k}.append((x.cuda() * {k}.5).sum().item())" for k in range(n)],
        [f"t{k} = []" for k in range(n)],
        [f"print(t{k})" for k in range(n)],
    ),
    "loops over elements": lambda n: _in_a_loop(
        [f"v{k} = [e.item() for e in x.cuda().flatten(0, {k})]" for k in range(n)]
    ),
    "reads that a loop repeats": lambda n: _in_a_loop(
        [f"print(x{k}.tolist())" for k in range(n)], [f"x{k} = x.cuda() * {k}" for k in range(n)]
    ),
    "reads of one element": lambda n: _in_a_loop(
        ["for e in x.cuda().flatten():", *(f"    print(e.item() + {k})" for k in range(n))]
    ),
    "integers for the host": lambda n: "".join(
        [f"{_HEAD}def f(x: Tensor):\n    k = (x.cuda() > 0).sum()\n", *(f"    v{k} = x[:k]\n" for k in range(n))]
    ),
    "numbers of one list": lambda n: "".join(
        [f"{_HEAD}def f(xs: list[Tensor]):\n", *(f"    t{k} = []\n" for k in range(n)), "    for x in xs:\n"]
        + [f"        t{k}.append((x * {k}.5).sum().item())\n" for k in range(n)]
        + [f"    return {', '.join(f't{k}' for k in range(n))}\n"]
    ),
    "loops with a name each": lambda n: _in_a_loop(
        [line for k in range(n) for line in (f"for e{k} in x.cuda().flatten():", f"    print(e{k}.item())")]
    ),
    "numbers for the device": lambda n: _in_a_loop([f"a{k} = torch.tensor({k}.0, device='cuda')" for k in range(n)]),
    "numbers on one line": lambda n: _in_a_loop(
        ["; ".join(f"a{k} = torch.tensor({k}.0, device='cuda')" for k in range(n))]
    ),
    "lists for the device": lambda n: _in_a_loop(
        [f"a{k} = torch.tensor([{k}.0, 1.0], device=x.device)" for k in range(n)]
    ),
    "tensors made on the host": lambda n: _in_a_loop([f"u{k} = torch.zeros({k + 1}).to('cuda')" for k in range(n)]),
    "elements that are written": lambda n: _in_a_loop(
        ["z = torch.zeros(9, 9).cuda()", *(f"z[{k % 9}, 0] = {k}" for k in range(n))]
    ),
    "numbers read apart": lambda n: _in_a_loop(
        ["a = x.cuda()", *["print(a.abs().sum().item(), a.mean().item())", "a = a * 2"] * n]
    ),
    "loaders": lambda n: _HEAD
    + "".join(
        f"def t{k}(model):\n    for x, y in DataLoader([{k}]):\n        model(x.cuda(), y.cuda()).backward()\n\n\n"
        for k in range(n)
    )
    + "".join(f"t{k}(torch.nn.Linear(1, 1).cuda())\n" for k in range(n)),
}  # fmt: skip


class _Unfinished(ast.NodeTransformer):
    """Functions that go on where they would return."""

    def visit_Return(self, node: ast.Return) -> ast.stmt:
        """What is returned is given a name."""
        return ast.Assign([ast.Name("result", ast.Store())], node.value or ast.Constant(None))

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.stmt:
        """What functions within this one return is left alone."""
        return node


def _repeated(case: FixCase, times: int) -> str:
    """A case with the body of each function, ``times`` over."""
    tree = ast.parse(case.before.read_text(encoding="utf-8"))
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef) and function.name not in ("inputs", "__init__"):
            body = [_Unfinished().visit(statement) for statement in function.body]
            function.body = body * times
    return ast.unparse(ast.fix_missing_locations(tree))


def _calls(do: Callable[[], object]) -> int:
    profile = cProfile.Profile()
    profile.enable()
    do()
    profile.disable()
    return sum(entry.callcount for entry in profile.getstats())


def _grows_no_faster_than(counts: Sequence[int]) -> bool:
    """Whether twice as much more takes about twice as much more: what is paid once does not count."""
    first, second, third = counts
    return third - second < 2.6 * (second - first)


@pytest.mark.parametrize("case", [case for case in load_fix_cases() if case.changes], ids=lambda case: case.name)
def test_each_kind_of_fix_takes_work_in_proportion_to_what_is_found(case: FixCase, tmp_path: Path) -> None:
    counts = []
    for times in (4, 5, 10, 20):  # the first pays for what is loaded once
        path = tmp_path / f"{times}.py"
        path.write_text(_repeated(case, times))
        counts.append(_calls(lambda path=path: findings(path, case.releases)))  # type: ignore[misc]
    assert _grows_no_faster_than(counts[1:]), counts


@pytest.mark.parametrize("construct", CONSTRUCTS)
def test_offers_take_work_in_proportion_to_what_is_found(construct: str) -> None:
    make = CONSTRUCTS[construct]
    check_text(make(4), Path("generated.py"), (), Options())  # pays for what is loaded once
    counts = [_calls(lambda n=n: check_text(make(n), Path("generated.py"), (), Options())) for n in (16, 32, 64)]  # type: ignore[misc]
    assert _grows_no_faster_than(counts), counts


@pytest.mark.parametrize("construct", CONSTRUCTS)
def test_making_all_fixes_takes_work_in_proportion_to_what_is_found(construct: str, tmp_path: Path) -> None:
    counts = []
    for number in (4, 16, 32, 64):
        path = tmp_path / f"{number}.py"
        path.write_text(CONSTRUCTS[construct](number))

        def check(path: Path = path) -> Sequence[FileReport]:
            return tuple(check_files([path], [path], Options(), jobs=1).reports)

        reports = check()
        assert any(finding.fix for finding in reports[0].findings)
        counts.append(_calls(lambda reports=reports, check=check: fixed(reports, check, unsafe=True)))  # type: ignore[misc]
    assert _grows_no_faster_than(counts[1:]), counts
