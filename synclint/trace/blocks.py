"""``with synclint.trace() as report:``: which lines of a block wait for the device, in scripts and notebooks."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from synclint.report.terminal import Palette
from synclint.trace.records import Device, Schedule
from synclint.trace.report import ActionRow, JudgedFinding, ReportedWait, TraceReport
from synclint.trace.session import Session
from synclint.trace.settings import FORMATS, Settings


class BlockReport:
    """The report about a traced block, once the block is over; until then it only accepts ``step``."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._report: TraceReport | None = None

    def step(self) -> None:
        """End a step. After the first call only these calls end steps; calls of ``optimizer.step()`` no longer do."""
        if self._report is None:
            self._session.end_step()

    def expect_steps(self) -> None:
        """Have calls of ``step`` alone end steps, from the beginning."""
        self._session.expect_explicit_steps()

    @property
    def report(self) -> TraceReport:
        """The whole report. Raises RuntimeError while the block runs."""
        if self._report is None:
            raise RuntimeError("the report is made when the block of `with synclint.trace()` is over")
        return self._report

    @property
    def steps(self) -> int:
        """How many steps were completed."""
        return self.report.steps

    @property
    def waits(self) -> tuple[ReportedWait, ...]:
        """The waits by line, the most expensive first."""
        return self.report.waits

    @property
    def missed(self) -> tuple[ReportedWait, ...]:
        """The waits that the linter did not predict."""
        return self.report.missed

    @property
    def findings(self) -> tuple[JudgedFinding, ...]:
        """The linter's findings in the files that ran, and what became of each."""
        return self.report.findings

    @property
    def actions(self) -> tuple[ActionRow, ...]:
        """Where a step's time goes; empty where nothing was measured."""
        return self.report.actions

    def scalars(self) -> dict[str, float]:
        """The figures of a step by name, for ``wandb.log`` or ``add_scalar``; see ``synclint.trace.scalars``."""
        from synclint.trace.scalars import scalars

        return scalars(self.report)

    def save(self, path: str | Path, form: str | None = None) -> None:
        """Write the report to a file; without ``form`` its name decides: ``.json``, ``.json.gz`` (Chrome), ``.html``.

        Raises ValueError for an unknown format, and OSError.
        """
        from synclint.files.atomic_files import replace_bytes
        from synclint.trace.formats import rendered

        name = Path(path).name
        endings = ((".json.gz", "chrome"), (".json", "json"), (".html", "html"))
        chosen = form or next((form for ending, form in endings if name.endswith(ending)), "text")
        if chosen not in FORMATS:
            raise ValueError(f"unknown format {chosen!r}; choose one of {', '.join(FORMATS)}")
        replace_bytes(Path(path), rendered(self.report, chosen))

    def __str__(self) -> str:
        """The report as on the terminal."""
        from synclint.trace.report_text import lines

        if self._report is None:
            return "a report that is made when its block is over"
        return "\n".join(lines(self._report, Palette(enabled=False)))

    def _repr_html_(self) -> str:
        """The page, for notebooks, within a frame of its own."""
        from html import escape

        from synclint.trace.report_html import page

        source = escape(page(self.report), quote=True)
        return f'<iframe srcdoc="{source}" style="width:100%;height:40rem;border:0"></iframe>'


@contextmanager
def trace(
    device: str | None = None,
    *,
    skip_first: int = 0,
    wait: int = 1,
    warmup: int = 1,
    active: int = 3,
    repeat: int = 1,
    record_shapes: bool = False,
    profile_memory: bool = False,
    tensorboard: str | Path | None = None,
    cache_batches: int = 0,
    lint: bool = True,
) -> Iterator[BlockReport]:
    """Trace a block: on CUDA, or with ``device="sim"`` on the simulated device, which is the default without a GPU.

    The numbers of steps are those of ``torch.profiler.schedule``; a step is a call of ``optimizer.step()`` unless the
    block calls ``report.step()``. Exceptions pass through, and the report is made nevertheless. Raises ValueError for
    an unknown device, and RecorderUnavailableError where nothing can be recorded.
    """
    from synclint.trace.assembly import assemble
    from synclint.trace.declared import DeclaredFunctions
    from synclint.trace.linting import static_findings
    from synclint.trace.ownership import default_ownership

    settings = Settings(
        device=_device(device),
        schedule=Schedule(skip_first, wait, warmup, active, repeat),
        record_shapes=record_shapes,
        profile_memory=profile_memory,
        tensorboard=None if tensorboard is None else os.path.abspath(tensorboard),  # noqa: PTH100
        cache_batches=cache_batches,
        lint=lint,
    )
    session = Session(settings, default_ownership(), tuple(sys.argv))
    session.start()
    made = BlockReport(session)
    status, ended_by = None, ""
    try:
        yield made
    except BaseException as error:
        status, ended_by = 1, type(error).__name__
        raise
    finally:
        run = session.finish(status, ended_by)
        findings, problem = static_findings(run) if lint else ((), None)
        contract_of = DeclaredFunctions(Path(run.header.folder)).around
        made._report = assemble(run, findings, checked=lint and problem is None, contract_of=contract_of)


def _device(name: str | None) -> Device:
    if name is not None:
        return Device(name)
    import torch

    return Device.CUDA if torch.version.cuda is not None and torch.cuda.is_available() else Device.SIMULATED
