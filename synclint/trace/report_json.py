"""Reports as JSON, and back: what ``--merge``, ``--compare`` and ``synclint check --evidence`` read.

What is read back may be anything, so that every value is looked at before it is believed.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from enum import Enum
from pathlib import Path
from typing import Any

from synclint.files.bounded_files import read_at_most
from synclint.findings import Confidence, Phase
from synclint.trace.records import CodeLine, DatasetPart, Device, DrawnStep, Header, LoaderFacts, Schedule, Stretch
from synclint.trace.report import (
    ActionRow,
    Hint,
    JudgedFinding,
    RankFacts,
    ReportedWait,
    StaticFinding,
    Status,
    StepTimes,
    TraceReport,
)

VERSION = 1
_MOST_BYTES = 256 * 2**20


class UnreadableReportError(Exception):
    """A file is no report of a traced run; the message is one line."""


def to_json(report: TraceReport) -> str:
    """The report as a document of JSON, one wait or finding a line."""
    header = report.header
    document = {
        "version": VERSION,
        "device": header.device.value,
        "steps": report.steps,
        "waits": [_wait(wait) for wait in report.waits],
        "missed": [_wait(wait) for wait in report.missed],
        "findings": [_judged(judged) for judged in report.findings],
        "counted_steps": report.counted_steps,
        "step_ms": None if report.step_seconds is None else 1000 * report.step_seconds,
        "actions": [asdict(row) for row in report.actions],
        "hints": [asdict(hint) for hint in report.hints],
        "loaders": [{**asdict(loader), "place": _place(loader.place)} for loader in report.loaders],
        "ranks": [asdict(rank) for rank in report.ranks],
        "shared_seconds": report.shared_seconds,
        "busy": report.busy,
        "dataset_parts": [
            {"loader": _place(part.loader), "place": _place(part.place), "seconds": part.seconds}
            for part in report.dataset_parts
        ],
        "times": None if report.times is None else asdict(report.times),
        "checked": report.checked,
        "notes": list(report.notes),
        "header": {**asdict(header), "versions": dict(header.versions)},
        "drawn": [_drawn(step) for step in report.drawn],
    }
    lines = [f"{json.dumps(key)}: {_members(value)}" for key, value in document.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _members(value: object) -> str:
    if isinstance(value, list) and value:
        return "[\n" + ",\n".join(json.dumps(item, default=_plain) for item in value) + "\n]"
    return json.dumps(value, default=_plain)


def _plain(value: object) -> object:
    if isinstance(value, Enum):
        return value.value
    raise TypeError(value)


def _place(place: CodeLine | None) -> dict[str, Any] | None:
    return None if place is None else {"file": place.file, "line": place.line, "function": place.function}


def _wait(wait: ReportedWait) -> dict[str, Any]:
    library = _place(wait.library)
    return {
        "file": wait.place.file,
        "line": wait.place.line,
        "function": wait.place.function,
        "text": wait.text,
        "count": wait.count,
        "per_step": wait.per_step,
        "mechanism": wait.mechanism,
        "code": wait.code or None,
        "runs": wait.runs.value if wait.runs else None,
        "library": None if library is None else {**library, "text": wait.library_text},
        "blocked_ms": wait.blocked_ms,
        "idle_ms": wait.idle_ms,
        "op": wait.op,
        "via": wait.via,
        "backward": wait.backward,
        "certain": wait.certain,
        "ranks": list(wait.ranks),
        "in_library": wait.in_library,
        "instead": wait.instead,
        "contract": wait.contract or None,
        "stack": [[place.file, place.line, place.function] for place in wait.stack],
    }


def _judged(judged: JudgedFinding) -> dict[str, Any]:
    finding = judged.finding
    return {
        "file": finding.file,
        "line": finding.line,
        "statement": [finding.first, finding.last],
        "code": finding.code,
        "name": finding.name,
        "message": finding.message,
        "mechanism": finding.mechanism,
        "confidence": finding.confidence.value,
        "runs": finding.runs.value,
        "suppressed": finding.suppressed,
        "instead": finding.instead,
        "calls": [list(call) for call in finding.calls],
        "status": judged.status.value,
        "count": judged.count,
        "per_step": judged.per_step,
        "blocked_ms": judged.blocked_ms,
    }


def _drawn(step: DrawnStep) -> dict[str, Any]:
    return {
        "number": step.number,
        "seconds": step.seconds,
        "schematic": step.schematic,
        "stretches": [
            {
                **{name: getattr(bar, name) for name in ("row", "kind", "start", "end", "label")},
                "place": _place(bar.place),
                "stack": [[place.file, place.line, place.function] for place in bar.stack],
            }
            for bar in step.stretches
        ],
    }


def read_report(path: Path) -> TraceReport:
    """A report from a file. Raises UnreadableReportError."""
    try:
        data = read_at_most(path, _MOST_BYTES, "a report")
    except OSError as error:
        raise UnreadableReportError(f"{path}: {(error.strerror or str(error)).lower()}") from None
    try:
        return from_json(data.decode("utf-8"))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        reason = " ".join(str(error).split())[:120]
        raise UnreadableReportError(
            f"{path} is not a report of `synclint trace --output-file json=FILE`: {type(error).__name__} {reason}"
        ) from None


def from_json(text: str) -> TraceReport:
    """What ``to_json`` wrote. Raises ValueError, TypeError or KeyError for anything else."""
    values = _table(json.loads(text))
    if values["version"] != VERSION:
        raise ValueError(f"version {values['version']!r} of the format is unknown")
    header = _table(values["header"])
    return TraceReport(
        header=Header(
            device=Device(header["device"]),
            device_name=_text(header["device_name"]),
            command=_texts(header["command"]),
            folder=_text(header["folder"]),
            versions=tuple((_text(name), _text(value)) for name, value in _table(header["versions"]).items()),
            schedule=Schedule(**{name: _number(value) for name, value in _table(header["schedule"]).items()}),
            rank=_number(header["rank"]),
            world_size=_number(header["world_size"]),
            started=_quantity(header["started"]),
            exit_status=None if header["exit_status"] is None else _number(header["exit_status"]),
            ended_by=_text(header["ended_by"]),
            notes=_texts(header["notes"]),
            other_processes=_number(header.get("other_processes", 0)),
        ),
        steps=_number(values["steps"]),
        counted_steps=_number(values["counted_steps"]),
        step_seconds=None if values["step_ms"] is None else _quantity(values["step_ms"]) / 1000,
        waits=tuple(map(_read_wait, _items(values["waits"]))),
        missed=tuple(map(_read_wait, _items(values["missed"]))),
        findings=tuple(map(_read_judged, _items(values["findings"]))),
        actions=tuple(
            ActionRow(
                _text(row["action"]),
                _number(row["calls"]),
                _quantity(row["total"]),
                _quantity(row["percent"]),
                bool(row["is_wait"]),
            )
            for row in map(_table, _items(values["actions"]))
        ),
        hints=tuple(Hint(_text(hint["about"]), _text(hint["text"])) for hint in map(_table, _items(values["hints"]))),
        loaders=tuple(map(_read_loader, _items(values["loaders"]))),
        drawn=tuple(map(_read_drawn, _items(values["drawn"]))),
        ranks=tuple(
            RankFacts(
                _number(rank["rank"]),
                _number(rank["steps"]),
                _quantity(rank["step_seconds"]),
                _optional(rank["shared_seconds"]),
                _optional(rank["waiting_seconds"]),
            )
            for rank in map(_table, _items(values["ranks"]))
        ),
        shared_seconds=_optional(values["shared_seconds"]),
        checked=bool(values["checked"]),
        notes=_texts(values["notes"]),
        busy=_optional(values.get("busy")),
        dataset_parts=tuple(
            DatasetPart(_read_place(part["loader"]), _read_place(part["place"]), _quantity(part["seconds"]))
            for part in map(_table, _items(values.get("dataset_parts", [])))
        ),
        times=None if values.get("times") is None else _read_times(_table(values["times"])),
    )


def _read_times(table: dict[str, Any]) -> StepTimes:
    return StepTimes(
        first=_number(table["first"]),
        every=_number(table["every"]),
        seconds=tuple(map(_quantity, _items(table["seconds"]))),
        median=_quantity(table["median"]),
        longest=_quantity(table["longest"]),
        longest_step=_number(table["longest_step"]),
    )


def _read_wait(value: object) -> ReportedWait:
    table = _table(value)
    library = None if table["library"] is None else _table(table["library"])
    return ReportedWait(
        place=CodeLine(_text(table["file"]), _number(table["line"]), _text(table["function"])),
        text=_text(table["text"]),
        count=_number(table["count"]),
        per_step=_quantity(table["per_step"]),
        mechanism=_text(table["mechanism"]),
        op=_text(table["op"]),
        code=_text(table["code"] or ""),
        runs=None if table["runs"] is None else Phase(table["runs"]),
        library=None if library is None else _read_place(library),
        library_text="" if library is None else _text(library["text"]),
        blocked_ms=_optional(table["blocked_ms"]),
        idle_ms=_optional(table["idle_ms"]),
        backward=bool(table["backward"]),
        certain=bool(table["certain"]),
        stack=_read_stack(table["stack"]),
        via=_text(table["via"]),
        ranks=tuple(map(_number, _items(table["ranks"]))),
        in_library=bool(table.get("in_library", False)),
        instead=_text(table.get("instead", "")),
        contract=_text(table.get("contract") or ""),
    )


def _read_judged(value: object) -> JudgedFinding:
    table = _table(value)
    first, last = map(_number, _items(table["statement"]))
    return JudgedFinding(
        StaticFinding(
            file=_text(table["file"]),
            line=_number(table["line"]),
            first=first,
            last=last,
            code=_text(table["code"]),
            name=_text(table["name"]),
            message=_text(table["message"]),
            mechanism=_text(table["mechanism"]),
            confidence=Confidence(table["confidence"]),
            runs=Phase(table["runs"]),
            suppressed=bool(table.get("suppressed", False)),
            instead=_text(table.get("instead", "")),
            calls=tuple((_text(file), _number(line)) for file, line in map(_items, _items(table.get("calls", [])))),
        ),
        Status(table["status"]),
        _number(table["count"]),
        _quantity(table["per_step"]),
        _optional(table["blocked_ms"]),
    )


def _read_loader(value: object) -> LoaderFacts:
    table = _table(value)
    return LoaderFacts(
        _read_place(table["place"]),
        _number(table["num_workers"]),
        bool(table["pin_memory"]),
        bool(table["persistent_workers"]),
        None if table["prefetch_factor"] is None else _number(table["prefetch_factor"]),
        None if table["batch_size"] is None else _number(table["batch_size"]),
    )


def _read_drawn(value: object) -> DrawnStep:
    table = _table(value)
    return DrawnStep(
        _number(table["number"]),
        _quantity(table["seconds"]),
        tuple(
            Stretch(
                _text(bar["row"]),
                _text(bar["kind"]),
                _quantity(bar["start"]),
                _quantity(bar["end"]),
                _text(bar["label"]),
                _read_place(bar["place"]),
                _read_stack(bar["stack"]),
            )
            for bar in map(_table, _items(table["stretches"]))
        ),
        bool(table["schematic"]),
    )


def _read_place(value: object) -> CodeLine:
    table = _table(value)
    return CodeLine(_text(table["file"]), _number(table["line"]), _text(table["function"]))


def _read_stack(value: object) -> tuple[CodeLine, ...]:
    return tuple(CodeLine(_text(file), _number(line), _text(name)) for file, line, name in map(_items, _items(value)))


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"expected text, but got {value!r}")
    return value


def _texts(value: object) -> tuple[str, ...]:
    return tuple(map(_text, _items(value)))


def _number(value: object) -> int:
    if not isinstance(value, int):
        raise TypeError(f"expected a whole number, but got {value!r}")
    return value


def _quantity(value: object) -> float:
    if not isinstance(value, (int, float)):
        raise TypeError(f"expected a number, but got {value!r}")
    return float(value)


def _optional(value: object) -> float | None:
    return None if value is None else _quantity(value)


def _items(value: object) -> list[Any]:
    if not isinstance(value, list):
        raise TypeError(f"expected a list, but got {value!r}")
    return value


def _table(value: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise TypeError(f"expected a table, but got {value!r}")
    return value
