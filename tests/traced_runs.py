"""Runs and reports made by hand, for the tests of what is made of them."""

from __future__ import annotations

from synclint.findings import Confidence, Phase
from synclint.trace.assembly import assemble
from synclint.trace.records import Action, ActionTime, CodeLine, Device, Header, ObservedWait, Run, Step, WaitSite
from synclint.trace.report import StaticFinding, TraceReport

FILE = "/home/somebody/train.py"
SOURCE = {
    8: "loss = criterion(model(images)[mask], target)",
    9: "loss.backward()",
    12: "print(loss.item())",
    20: "evaluate(model)",
}


def place(line: int, file: str = FILE) -> CodeLine:
    return CodeLine(file, line, "train")


def wait(line: int = 12, **more: object) -> ObservedWait:
    given: dict[str, object] = {
        "place": place(line),
        "op": "aten::_local_scalar_dense",
        "mechanism": "scalar-read",
        "via": "torch.Tensor.item",
        "stack": (CodeLine(FILE, 30, "<module>"), place(line)),
        **more,
    }
    return ObservedWait(**given)  # type: ignore[arg-type]


def steps(number: int, seconds: float = 0.5, profiled: frozenset[int] = frozenset()) -> tuple[Step, ...]:
    return tuple(Step(index, seconds, index in profiled) for index in range(number))


def header(**more: object) -> Header:
    given: dict[str, object] = {
        "device": Device.SIMULATED,
        "device_name": "simulated device",
        "command": ("python", "train.py"),
        "folder": "/home/somebody",
        "versions": (("synclint", "0.1.0"), ("torch", "2.13.0")),
        "exit_status": 0,
        **more,
    }
    return Header(**given)  # type: ignore[arg-type]


def run(*sites: WaitSite, number: int = 5, **more: object) -> Run:
    given: dict[str, object] = {"header": header(), "steps": steps(number), "waits": sites, **more}
    return Run(**given)  # type: ignore[arg-type]


def finding(line: int = 12, code: str = "SYN201", runs: Phase = Phase.STEP, **more: object) -> StaticFinding:
    given: dict[str, object] = {
        "file": FILE,
        "line": line,
        "first": line,
        "last": line,
        "code": code,
        "name": "item-in-hot-code",
        "message": "`.item()` makes the host wait",
        "mechanism": "scalar-read",
        "confidence": Confidence.HIGH,
        "runs": runs,
        **more,
    }
    return StaticFinding(**given)  # type: ignore[arg-type]


def line_of(place: CodeLine) -> str:
    return SOURCE.get(place.line, "") if place.file == FILE else "if nans.any():"


def report(run: Run, *findings: StaticFinding, checked: bool = True) -> TraceReport:
    return assemble(run, findings, checked=checked, line_of=line_of)


def rank(number: int, backward: float, total: int = 2) -> TraceReport:
    """The report of one of several processes, whose backward pass takes so many seconds of each step."""
    times = tuple(ActionTime(Action.BACKWARD, step, backward) for step in range(5))
    site = WaitSite(wait(), tuple((step, 1) for step in range(5)))
    return report(run(site, header=header(rank=number, world_size=total), actions=times), finding())
