"""Tracing a run of Lightning's Trainer: as a callback, or in the place of its profiler.

    trainer = Trainer(callbacks=[TraceCallback("trace.json")])
    trainer = Trainer(profiler=TraceProfiler())

Importing this module imports Lightning, by the name by which the program uses it: ``lightning`` or
``pytorch_lightning``. A step is a batch of the training loop.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from contextlib import AbstractContextManager
from pathlib import Path
from types import ModuleType
from typing import Any

from synclint.trace.blocks import BlockReport, trace
from synclint.trace.publishing import rank_path

_NAMES = ("lightning.pytorch", "pytorch_lightning")
# What the Trainer calls a batch of the training loop, when it tells its profiler.
_BATCH = "run_training_batch"


def _lightning() -> ModuleType:
    used = (name for name in _NAMES if name in sys.modules)
    installed = (name for name in _NAMES if importlib.util.find_spec(name.partition(".")[0]) is not None)
    name = next(used, None) or next(installed, None)
    if name is None:
        raise ModuleNotFoundError("neither lightning nor pytorch_lightning is installed")
    return importlib.import_module(name)


_LIGHTNING: Any = _lightning()
# A module of its own in Lightning, which its package does not import.
_PROFILERS: Any = importlib.import_module(f"{_LIGHTNING.__name__}.profilers")


class _Block:
    """A traced block that begins and ends in different calls, and is over once however it ends."""

    def __init__(self, options: dict[str, Any]) -> None:
        self._options = options
        self._open: AbstractContextManager[BlockReport] | None = None
        self.report: BlockReport | None = None

    def begin(self) -> None:
        """Begin, unless it has."""
        if self._open is None:
            self._open = trace(**self._options)
            self.report = self._open.__enter__()
            self.report.expect_steps()

    def step(self) -> None:
        """A step is over."""
        if self._open is not None and self.report is not None:
            self.report.step()

    def end(self, error: BaseException | None = None) -> bool:
        """End; whether this call did."""
        block, self._open = self._open, None
        if block is None:
            return False
        # It lets an exception pass.
        block.__exit__(type(error) if error else None, error, error.__traceback__ if error else None)
        return True


class TraceCallback(_LIGHTNING.Callback):  # type: ignore[misc]
    """Traces ``Trainer.fit``: writes the report to ``path``, gives its figures to the loggers, and keeps it.

    ``options`` are those of ``synclint.trace()``. ``report`` is there once fitting is over, also after an exception.
    With several processes each writes a file with its rank in the name.
    """

    def __init__(self, path: str | Path | None = None, **options: Any) -> None:  # noqa: ANN401
        super().__init__()
        self._path = None if path is None else Path(path)
        self._block = _Block(options)

    @property
    def report(self) -> BlockReport | None:
        """The report; None before fitting."""
        return self._block.report

    def on_fit_start(self, trainer: Any, pl_module: Any) -> None:  # noqa: ANN401
        """Begin."""
        self._block.begin()

    def on_train_batch_end(self, trainer: Any, *arguments: object, **options: object) -> None:  # noqa: ANN401
        """A step is over."""
        self._block.step()

    def on_fit_end(self, trainer: Any, pl_module: Any) -> None:  # noqa: ANN401
        """End, and tell."""
        self._end(trainer, None)

    def on_exception(self, trainer: Any, pl_module: Any, exception: BaseException) -> None:  # noqa: ANN401
        """End as well."""
        self._end(trainer, exception)

    def _end(self, trainer: Any, error: BaseException | None) -> None:  # noqa: ANN401
        if not self._block.end(error) or self.report is None:
            return
        if self._path is not None:
            self.report.save(rank_path(self._path, trainer.global_rank, trainer.world_size))
        for logger in trainer.loggers:
            logger.log_metrics(self.report.scalars(), step=trainer.global_step)


class TraceProfiler(_PROFILERS.Profiler):  # type: ignore[misc]
    """Traces ``Trainer.fit`` in the place of one of Lightning's profilers; its summary is the report.

    ``options`` are those of ``synclint.trace()``.
    """

    def __init__(self, dirpath: str | Path | None = None, filename: str | None = None, **options: Any) -> None:  # noqa: ANN401
        super().__init__(dirpath=dirpath, filename=filename)
        self._block = _Block(options)

    @property
    def report(self) -> BlockReport | None:
        """The report; None before fitting."""
        return self._block.report

    def setup(self, stage: str, local_rank: int | None = None, log_dir: str | None = None) -> None:
        """Begin, if the Trainer is to fit."""
        super().setup(stage=stage, local_rank=local_rank, log_dir=log_dir)
        if stage == "fit":
            self._block.begin()

    def start(self, action_name: str) -> None:
        """An action begins, which is no concern of ours."""

    def stop(self, action_name: str) -> None:
        """A step is over with each batch of the training loop."""
        if action_name == _BATCH:
            self._block.step()

    def summary(self) -> str:
        """The report, which is made when it is first asked for."""
        self._block.end()
        return "" if self.report is None else str(self.report)

    def teardown(self, stage: str | None) -> None:
        """End."""
        self._block.end()
        super().teardown(stage=stage)
